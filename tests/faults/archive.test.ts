import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/server/db/open.ts';
import { diskStorage } from '../../src/server/storage/disk.ts';
import { archivedRows, command } from '../support/archive.ts';
import { type EmptyDatabase, emptyPostgres, emptySqlite } from '../support/databases.ts';
import { call } from '../support/http.ts';
import { enter, prepareEvening } from '../support/http-evening.ts';
import { checkInvariants } from '../support/invariants.ts';
import { newFolder, startServer } from '../support/server.ts';

const EMPTY = { sqlite: emptySqlite, postgres: emptyPostgres };
let folder: string;
let file: string;
let places: EmptyDatabase[];
beforeEach(async () => {
  folder = await newFolder();
  file = join(folder, 'sorpresa.zip');
  places = [];
});
afterEach(async () => {
  for (const place of places) await place.remove();
  await rm(folder, { recursive: true, force: true });
});

async function newPlace(kind: keyof typeof EMPTY): Promise<EmptyDatabase['env']> {
  const place = await EMPTY[kind]();
  places.push(place);
  return place.env;
}

const start = ({ DATA_DIR, ...env }: EmptyDatabase['env']) => startServer({ dataDir: DATA_DIR, env });
const open = (env: EmptyDatabase['env']) => openDatabase({ DATABASE_URL: undefined, ...env });

test.each([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const)('restores a backup from %s to %s row by row, and the evening continues', async (from, to) => {
  const [source, target] = [await newPlace(from), await newPlace(to)];
  const server = await start(source);
  const evening = await prepareEvening(server, { frasi: ['è «tutto»\n😀 "così"', '\\', 'riga\u2028sola'] });
  const cookie = await enter(server, evening);
  const running = await command('backup', source, [file]);
  expect(running, running.output).toMatchObject({ code: 0 });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await server.stop();
  const stopped = await open(source);
  const rows = await archivedRows(stopped.db);
  await stopped.close();
  const whole = join(folder, 'whole.zip');
  expect((await command('backup', source, [whole])).output).toContain(' file');
  const done = await command('restore', target, [whole]);
  expect(done, done.output).toMatchObject({ code: 0 });
  const after = await open(target);
  expect(await archivedRows(after.db)).toEqual(rows);
  expect(await checkInvariants(after.db, new Date())).toEqual([]);
  await expectFiles(target.DATA_DIR, await after.db.selectFrom('media').selectAll().execute());
  await after.close();
  expect(await readdir(target.DATA_DIR)).not.toContain('restoring');
  const restored = await start(target);
  const { url } = restored;
  expect((await call(url, 'GET', '/admin/config', undefined, { cookie: evening.admin })).status).toBe(200);
  expect((await call(url, 'POST', '/visit/resume', {}, { cookie })).status).toBe(200);
  await restored.stop();
});

/** Checks that every file with a row exists with the row's bytes. The file of a deleted row may be missing. */
async function expectFiles(
  dataDir: string,
  media: { id: string; extension: string; sha256: string; deleted_at: string | null }[],
): Promise<void> {
  const storage = await diskStorage(join(dataDir, 'media'));
  expect(media.length).toBeGreaterThan(4);
  for (const { id, extension, sha256, deleted_at } of media) {
    const key = `${id}.${extension}`;
    if (deleted_at !== null && (await storage.size(key)) === null) continue;
    const bytes = await buffer(await storage.read(key));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  }
}
