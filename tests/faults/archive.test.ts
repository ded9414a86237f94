import { createHash, randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/server/db/open.ts';
import { restoreArchive } from '../../src/server/features/archive/restore.ts';
import { companionId } from '../../src/server/features/media/companion.ts';
import { insertVideo } from '../../src/server/features/media/library.repo.ts';
import { storeMedia } from '../../src/server/features/media/media.service.ts';
import { diskStorage } from '../../src/server/storage/disk.ts';
import { command, keptRows } from '../support/archive.ts';
import { keepBusy } from '../support/busy.ts';
import { type EmptyDatabase, emptyPostgres, emptySqlite } from '../support/databases.ts';
import { call } from '../support/http.ts';
import { prepareEvening, store } from '../support/http-evening.ts';
import { checkLaws } from '../support/laws.ts';
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
] as const)(
  'from %s to %s a backup holds all that was acknowledged, and comes back row by row',
  {
    timeout: 120_000,
  },
  async (from, to) => {
    const [source, target, again] = [await newPlace(from), await newPlace(from), await newPlace(to)];
    const server = await start(source);
    const evening = await prepareEvening(server, { frasi: ['è «tutto»\n😀 "così"', '\\', 'riga\u2028sola'] });
    await store(server, 'film.mp4', Readable.from([randomBytes(10 * 1024 ** 2)]));
    const busy = keepBusy(server, evening);
    await expect.poll(() => busy.entered.length).toBeGreaterThan(10);
    const before = [...busy.entered];
    const made = await command('backup', source, [file]);
    expect(made, made.output).toMatchObject({ code: 0 });
    expect(busy.entered.length).toBeGreaterThan(before.length);
    await busy.stop();
    await server.stop();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const manifest = await restoreArchive(file, { DATABASE_URL: undefined, ...target }, new Date());
    expect(manifest.missing).toEqual([]);
    const { db, close } = await open(target);
    expect(await checkLaws(db, new Date(manifest.created_at))).toEqual([]);
    const sessions = await db.selectFrom('active_sessions').select('attempt_id').execute();
    const there = new Set(sessions.map(({ attempt_id }) => attempt_id));
    expect(before.filter(({ attempt_id }) => !there.has(attempt_id))).toEqual([]);
    await expectFiles(target.DATA_DIR, await db.selectFrom('media').selectAll().execute());
    await close();
    // While nobody writes every row comes back as it was, by the commands alone.
    const stopped = await open(source);
    const rows = await keptRows(stopped.db);
    await stopped.close();
    const whole = join(folder, 'whole.zip');
    expect((await command('backup', source, [whole])).output).toContain(' file');
    const done = await command('restore', again, [whole]);
    expect(done, done.output).toMatchObject({ code: 0 });
    const after = await open(again);
    expect(await keptRows(after.db)).toEqual(rows);
    await after.close();
    expect(await readdir(again.DATA_DIR)).not.toContain('restoring');
    const restored = await start(again);
    const { url } = restored;
    expect((await call(url, 'GET', '/admin/config', undefined, { cookie: evening.admin })).status).toBe(200);
    expect((await call(url, 'POST', '/visit/resume', {}, { cookie: before[0]?.cookie })).status).toBe(200);
    await restored.stop();
  },
);

test('a film that an earlier version levelled plays after a restore, and is deleted with its original', async () => {
  const [source, target] = [await newPlace('sqlite'), await newPlace('sqlite')];
  const server = await start(source);
  const { deps } = server;
  const { admin, media } = await prepareEvening(server);
  const { id, url } = media.video;
  const film = { id: 'film', nome: 'film.mp4', url, poster_url: null, created_at: new Date().toISOString() };
  const sounds = { nome: 'suoni.mp4', extension: 'mp4', content_type: 'audio/mp4' };
  const bytes = () => Readable.from([randomBytes(1_000)]);
  await storeMedia(deps, { ...sounds, content: bytes() }, undefined, companionId(id, 'sounds'));
  const original = await store(server, 'film.mp4', bytes());
  await deps.inTransaction(async (tx) => {
    await insertVideo(tx, film);
    const choice = JSON.stringify([{ language: 'ita', title: null, channels: 2 }]);
    const former = { sounds: choice, sound: 0, original: original.id };
    await tx.updateTable('media').set(former).where('id', '=', id).execute();
  });
  await server.stop();
  expect(await command('backup', source, [file])).toMatchObject({ code: 0 });
  expect(await command('restore', target, [file])).toMatchObject({ code: 0 });
  const restored = await start(target);
  const asked = (method: string, path: string) =>
    call(restored.url, method, path, undefined, { cookie: admin });
  expect((await fetch(`${restored.url}${url}`, { headers: { cookie: admin } })).status).toBe(200);
  expect((await asked('GET', '/admin/media/video')).body).toMatchObject([{ url, attivo: true }]);
  expect((await asked('DELETE', '/admin/media/video/film')).status).toBe(200);
  const left = await restored.deps.db
    .selectFrom('media')
    .select('id')
    .where('deleted_at', 'is', null)
    .where('extension', '=', 'mp4')
    .execute();
  expect(left).toEqual([]);
  await restored.stop();
});

/** Every file that has a row is there with the bytes its row speaks of; a deleted one may be gone already. */
async function expectFiles(
  dataDir: string,
  media: { id: string; extension: string; sha256: string; deleted_at: string | null }[],
): Promise<void> {
  const storage = await diskStorage(join(dataDir, 'media'));
  expect(media.length).toBeGreaterThan(5);
  for (const { id, extension, sha256, deleted_at } of media) {
    const key = `${id}.${extension}`;
    if (deleted_at !== null && (await storage.size(key)) === null) continue;
    const bytes = await buffer(await storage.read(key));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  }
}
