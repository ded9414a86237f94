import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, openUnmigrated } from '../../src/server/db/open.ts';
import { restoreArchive } from '../../src/server/features/archive/restore.ts';
import { sweepMedia } from '../../src/server/features/media/sweep.ts';
import { archivedRows, command } from '../support/archive.ts';
import { type EmptyDatabase, emptyPostgres, emptySqlite } from '../support/databases.ts';
import { call } from '../support/http.ts';
import { type Evening, ok, prepareEvening, saveConfig } from '../support/http-evening.ts';
import { checkInvariants } from '../support/invariants.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';
import { upload } from '../support/uploads.ts';

const ARCHIVES = 4;
const SONG = join(import.meta.dirname, '../fixtures/song.mp3');
const KILLER = ['--import', resolve(import.meta.dirname, '../support/kill-at.ts')];

let folder: string;
beforeAll(async () => {
  folder = await newFolder();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each<[string, number, () => Promise<EmptyDatabase>]>([
  ['SQLite', 1, emptySqlite],
  ['PostgreSQL', 5, emptyPostgres],
])('archives on %s', (name, stride, empty) => {
  test('contain everything that was acknowledged before, even under load', async () => {
    const source = await empty();
    const { DATA_DIR, ...env } = source.env;
    const server = await startServer({ dataDir: DATA_DIR, env });
    const evening = await prepareEvening(server);
    // Entries continue while archives are made, so the code allows many. Their rate is limited, because all of them are restored below.
    await server.deps.db.updateTable('tokens').set({ max_accessi: 1_000_000 }).execute();
    const busy = startLoad(server, evening);
    const archives: { file: string; acknowledged: string[] }[] = [];
    for (let n = 1; n <= ARCHIVES; n += 1) {
      const acknowledged = [...busy.entered];
      const file = join(folder, `${name}-${n}.zip`);
      expect(await command('backup', source.env, [file])).toMatchObject({ code: 0 });
      archives.push({ file, acknowledged });
    }
    // The load would continue to grow during the restores.
    await busy.stop();
    for (const { file, acknowledged } of archives) {
      const there = await enteredIn(file);
      expect(
        acknowledged.filter((id) => !there.has(id)),
        file,
      ).toEqual([]);
    }
    expect(busy.entered.length).toBeGreaterThan(ARCHIVES);
    await server.stop();
    await source.remove();
  });

  test('never leave half a product if a restore is killed before a step on the disk, and can be restored again', async () => {
    const { file, rows, media } = await archiveOfAnEvening();
    let [killed, done] = [0, false];
    for (let step = 1; !done; step += stride) {
      const place = await empty();
      const { DATA_DIR } = place.env;
      const how = { KILL_AT: String(step), KILL_BELOW: DATA_DIR };
      let left = media;
      done = (await command('restore', { ...place.env, ...how }, [file], KILLER)).code === 0;
      if (!done) {
        killed += 1;
        const begun = ['restoring', 'sorpresa.db', 'secret-auth', 'media'];
        const isBegun = begun.some((each) => existsSync(join(DATA_DIR, each)));
        const refusal = isBegun ? await refusalOf(place.env) : 'empty';
        // A server that starts is complete: the restore was killed after its last step. With PostgreSQL a start marks the files as this
        // installation's.
        if (refusal === null) {
          if (name === 'PostgreSQL') left = ['.identity', ...media];
        } else {
          expect(refusal, `step ${step}`).toMatch(/^empty$|npm run restore/);
          const again = await command('restore', place.env, [file]);
          expect(again, `step ${step}: ${again.output}`).toMatchObject({ code: 0 });
        }
      }
      expect(await rowsOf(place.env), `step ${step}`).toEqual(rows);
      expect((await readdir(join(DATA_DIR, 'media'))).toSorted(), `step ${step}`).toEqual(left);
      if (done) expect(await refusalOf(place.env)).toBeNull();
      await place.remove();
    }
    expect(killed).toBeGreaterThan(20 / stride);
  });
});

/** Enters, uploads songs, saves and sweeps until stopped; `entered` has the acknowledged attempts. */
function startLoad(server: TestServer, { admin, token }: Evening) {
  let going = true;
  const entered: string[] = [];
  const visit = async () => {
    const attempt_id = randomUUID();
    const body = { token: token.token, attempt_id, device_id: `device-${attempt_id}` };
    ok(await call(server.url, 'POST', '/access', body));
    entered.push(attempt_id);
    await delay(50);
  };
  // In sequence: a new song changes the version that a save is based on.
  const prepare = async () => {
    await upload({ url: server.url, cookie: admin }, 'canzone', SONG);
    await saveConfig(server, admin, { titolo_viaggio: `Lisbona ${entered.length}` });
  };
  // A replaced song is removed soon. Without a pause the sweep would block SQLite and the process for all others.
  const sweep = () => sweepMedia(server.deps).then(() => delay(20));
  const works = [visit, visit, visit, prepare, sweep].map(async (work) => {
    while (going) await work();
  });
  const stop = async () => {
    going = false;
    await Promise.all(works);
  };
  return { entered, stop };
}

/** Restores an archive and returns the attempts in it. */
async function enteredIn(file: string): Promise<Set<string | null>> {
  const { env, remove } = await emptySqlite();
  const target = { DATABASE_URL: undefined, ...env };
  const restored = await restoreArchive(file, target, new Date());
  expect(restored.missing).toEqual([]);
  const { db, close } = await openDatabase(target);
  expect(await checkInvariants(db, new Date(restored.created_at))).toEqual([]);
  const rows = await db.selectFrom('active_sessions').select('attempt_id').execute();
  await close();
  await remove();
  return new Set(rows.map(({ attempt_id }) => attempt_id));
}

async function archiveOfAnEvening() {
  const file = join(folder, 'sorpresa.zip');
  await rm(file, { force: true });
  const source = await emptySqlite();
  const server = await startServer({ dataDir: source.env.DATA_DIR });
  await prepareEvening(server);
  await server.stop();
  const rows = await rowsOf(source.env);
  const media = (await readdir(join(source.env.DATA_DIR, 'media'))).toSorted();
  expect(await command('backup', source.env, [file])).toMatchObject({ code: 0 });
  await source.remove();
  return { file, rows, media };
}

async function rowsOf(env: EmptyDatabase['env']): Promise<Record<string, string[]>> {
  const { db, close } = await openUnmigrated({ DATABASE_URL: undefined, ...env });
  return archivedRows(db).finally(close);
}

/** Starts and stops the product. Returns its error if it refuses to start, or null. */
async function refusalOf({ DATA_DIR, ...env }: EmptyDatabase['env']): Promise<string | null> {
  try {
    const server = await startServer({ dataDir: DATA_DIR, env });
    await server.stop();
    return null;
  } catch (error) {
    return String(error);
  }
}
