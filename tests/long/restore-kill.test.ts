import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openUnmigrated } from '../../src/server/db/beside.ts';
import { command, keptRows } from '../support/archive.ts';
import { type EmptyDatabase, emptyPostgres, emptySqlite } from '../support/databases.ts';
import { prepareEvening } from '../support/http-evening.ts';
import { newFolder, startServer } from '../support/server.ts';

/** A restore that is killed before each of its steps on the disk: what is left never starts as half a product, and the restore can be repeated. */
const KILLER = ['--import', resolve(import.meta.dirname, '../support/kill-at.ts')];

let folder: string;
let file: string;
let rows: Record<string, string[]>;
let media: string[];
beforeAll(async () => {
  folder = await newFolder();
  file = join(folder, 'sorpresa.zip');
  const source = await emptySqlite();
  const server = await startServer({ dataDir: source.env.DATA_DIR });
  await prepareEvening(server);
  await server.stop();
  rows = await rowsOf(source.env);
  media = (await readdir(join(source.env.DATA_DIR, 'media'))).toSorted();
  expect(await command('backup', source.env, [file])).toMatchObject({ code: 0 });
  await source.remove();
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function rowsOf(env: EmptyDatabase['env']): Promise<Record<string, string[]>> {
  const { db, close } = await openUnmigrated({ DATABASE_URL: undefined, ...env });
  try {
    return await keptRows(db);
  } finally {
    await close();
  }
}

/** Starts the product, and stops it again; what it says where it refuses. */
async function refusalOf({ DATA_DIR, ...env }: EmptyDatabase['env']): Promise<string | null> {
  try {
    const server = await startServer({ dataDir: DATA_DIR, env });
    await server.stop();
    return null;
  } catch (error) {
    return String(error);
  }
}

const isBegun = (DATA_DIR: string) =>
  ['restoring', 'sorpresa.db', 'secret-auth', 'media'].some((name) => existsSync(join(DATA_DIR, name)));

test.each([
  ['SQLite', emptySqlite],
  ['PostgreSQL', emptyPostgres],
])('a restore into %s, killed at any step, is refused or resumed', async (name, empty) => {
  let done = false;
  let killed = 0;
  for (let step = 1; !done; step += 1) {
    const place = await empty();
    const { DATA_DIR } = place.env;
    const how = { KILL_AT: String(step), KILL_BELOW: DATA_DIR };
    let left = media;
    const first = await command('restore', { ...place.env, ...how }, [file], KILLER);
    done = first.code === 0;
    if (!done) {
      killed += 1;
      // Sometimes killed once more, while it takes away what the first one left or a little later.
      if (step % 4 === 0) await command('restore', { ...place.env, ...how, KILL_AT: '8' }, [file], KILLER);
      const refusal = isBegun(DATA_DIR) ? await refusalOf(place.env) : 'empty';
      // What starts is whole: it was killed when all was done. With PostgreSQL a start marks the files as this install's.
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
  expect(killed).toBeGreaterThan(20);
});
