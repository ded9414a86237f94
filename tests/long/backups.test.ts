import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/server/db/open.ts';
import { restoreArchive } from '../../src/server/features/archive/restore.ts';
import { command } from '../support/archive.ts';
import { keepBusy } from '../support/busy.ts';
import { type EmptyDatabase, emptyPostgres, emptySqlite } from '../support/databases.ts';
import { call } from '../support/http.ts';
import { enter, ok, prepareEvening, walkTo } from '../support/http-evening.ts';
import { checkLaws } from '../support/laws.ts';
import { newFolder, startServer } from '../support/server.ts';

const BACKUPS = 20;
const passphrase = 'una frase tutta nostra';

test.each<[string, () => Promise<EmptyDatabase>]>([
  ['SQLite', emptySqlite],
  ['PostgreSQL', emptyPostgres],
])(`${BACKUPS} backups in a row while a visit runs, on %s`, async (_name, empty) => {
  const folder = await newFolder();
  const source = await empty();
  const { DATA_DIR, ...env } = source.env;
  const server = await startServer({ dataDir: DATA_DIR, env });
  const evening = await prepareEvening(server);
  const cookie = await enter(server, evening);
  await walkTo(server, cookie, 'video');
  const { step } = ok(await call(server.url, 'POST', '/visit/resume', {}, { cookie })).body.position;
  let second = 0;
  let going = true;
  const watching = (async () => {
    while (going) {
      const position = { step, phrase: 0, second: second + 1 };
      ok(await call(server.url, 'POST', '/visit/position', position, { cookie }));
      second += 1;
    }
  })();
  for (let n = 1; n <= BACKUPS; n += 1) {
    const acknowledged = second;
    const file = join(folder, `${n}.zip`);
    const made = await command('backup', source.env, [file]);
    expect(made, made.output).toMatchObject({ code: 0 });
    expect(await secondIn(file), `backup ${n}`).toBeGreaterThanOrEqual(acknowledged);
  }
  going = false;
  await watching;
  expect(second).toBeGreaterThan(BACKUPS);
  await walkTo(server, cookie, 'questions');
  await server.stop();
  await source.remove();
  await rm(folder, { recursive: true });
});

test.each<[string, () => Promise<EmptyDatabase>]>([
  ['SQLite', emptySqlite],
  ['PostgreSQL', emptyPostgres],
])(`${BACKUPS} sealed downloads under load, on %s`, async (_name, empty) => {
  const folder = await newFolder();
  const source = await empty();
  const { DATA_DIR, ...env } = source.env;
  const server = await startServer({ dataDir: DATA_DIR, env });
  const evening = await prepareEvening(server);
  // They come in for as long as it takes: more of them than a code lets in, maybe, and not so many that restoring them is all that is done.
  await server.deps.db.updateTable('tokens').set({ max_accessi: 1_000_000 }).execute();
  const busy = keepBusy(server, evening, 50);
  const cookie = evening.admin;
  const taken: { file: string; acknowledged: string[] }[] = [];
  for (let n = 1; n <= BACKUPS; n += 1) {
    const acknowledged = busy.entered.map(({ attempt_id }) => attempt_id);
    const { path } = ok(await call(server.url, 'POST', '/admin/archive', { passphrase }, { cookie })).body;
    const answer = await fetch(new URL(path, server.url), { headers: { cookie } });
    const file = join(folder, `${n}.zip.age`);
    await writeFile(file, Buffer.from(await answer.arrayBuffer()));
    taken.push({ file, acknowledged });
  }
  // The load would grow for as long as restoring takes.
  await busy.stop();
  for (const { file, acknowledged } of taken) {
    const there = await enteredIn(file);
    expect(
      acknowledged.filter((id) => !there.has(id)),
      file,
    ).toEqual([]);
  }
  expect(busy.entered.length).toBeGreaterThan(BACKUPS);
  await server.stop();
  await source.remove();
  await rm(folder, { recursive: true });
});

/** Which attempts are in a sealed archive, which is restored for it. */
async function enteredIn(file: string): Promise<Set<string | null>> {
  const { env, remove } = await emptySqlite();
  const target = { DATABASE_URL: undefined, ...env };
  const { created_at, missing } = await restoreArchive(file, target, new Date(), passphrase);
  expect(missing).toEqual([]);
  const { db, close } = await openDatabase(target);
  expect(await checkLaws(db, new Date(created_at))).toEqual([]);
  const rows = await db.selectFrom('active_sessions').select('attempt_id').execute();
  await close();
  await remove();
  return new Set(rows.map(({ attempt_id }) => attempt_id));
}

/** How far the visit had come in an archive, which is restored for it. */
async function secondIn(file: string): Promise<number> {
  const { env, remove } = await emptySqlite();
  const target = { DATABASE_URL: undefined, ...env };
  const { created_at, missing } = await restoreArchive(file, target, new Date());
  expect(missing).toEqual([]);
  const { db, close } = await openDatabase(target);
  expect(await checkLaws(db, new Date(created_at))).toEqual([]);
  const [row] = await db.selectFrom('active_sessions').select('second').execute();
  await close();
  await remove();
  return row?.second ?? -1;
}
