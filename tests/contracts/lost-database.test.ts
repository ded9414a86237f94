import { mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadSecret } from '../../src/server/auth/secrets.ts';
import { openDatabase } from '../../src/server/db/open.ts';
import { type EmptyDatabase, emptyPostgres, emptySqlite } from '../support/databases.ts';
import { call } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import { startServer } from '../support/server.ts';

/** An install whose database is gone must not become a new one, open to the first who comes. */

const open = (env: EmptyDatabase['env']) => openDatabase({ DATABASE_URL: undefined, ...env });
const start = ({ DATA_DIR, ...env }: EmptyDatabase['env']) => startServer({ dataDir: DATA_DIR, env });

describe('on sqlite', () => {
  let place: EmptyDatabase;
  let file: string;
  beforeEach(async () => {
    place = await emptySqlite();
    file = join(place.env.DATA_DIR, 'sorpresa.db');
    const server = await start(place.env);
    await signUp(server);
    await server.stop();
  });
  afterEach(() => place.remove());

  test.each<[string, () => Promise<void>]>([
    ['missing', () => rm(file)],
    ['empty', () => truncate(file, 0)],
    [
      'without tables',
      async () => {
        await rm(file);
        const database = new DatabaseSync(file);
        database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (id); DROP TABLE t;');
        database.close();
      },
    ],
  ])('a file that is %s is not begun anew', async (_name, damage) => {
    await damage();
    const before = await readdir(place.env.DATA_DIR);
    const refused = await start(place.env).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'DatabaseLost' });
    expect(String(refused)).toContain(file);
    expect(String(refused)).toContain('secret-auth');
    expect(String(refused)).toContain('npm run restore');
    // Whatever can still be saved must not be made worse by trying.
    const lock = ['sorpresa.lock', 'sorpresa.db-shm', 'sorpresa.db-wal'];
    expect((await readdir(place.env.DATA_DIR)).filter((name) => !lock.includes(name))).toEqual(
      before.filter((name) => !lock.includes(name)),
    );
  });

  test('a log without its file is neither begun anew nor deleted', async () => {
    await rm(file);
    for (const name of ['secret-auth', 'secret-encryption']) await rm(join(place.env.DATA_DIR, name));
    const log = `${file}-wal`;
    await writeFile(log, 'what was not yet in the file');
    await expect(open(place.env)).rejects.toMatchObject({ name: 'DatabaseLost' });
    expect(await readdir(place.env.DATA_DIR)).toContain('sorpresa.db-wal');
  });

  test('media alone are enough to see that something is missing', async () => {
    await rm(file);
    for (const name of ['secret-auth', 'secret-encryption']) await rm(join(place.env.DATA_DIR, name));
    await writeFile(join(place.env.DATA_DIR, 'media', 'a.mp4'), 'film');
    await expect(open(place.env)).rejects.toMatchObject({ name: 'DatabaseLost' });
  });

  test('a restore that was cut short is no install', async () => {
    await mkdir(join(place.env.DATA_DIR, 'restoring'));
    const refused = await open(place.env).catch((error: unknown) => error);
    expect(String(refused)).toContain('npm run restore');
  });

  test('an install that was emptied by hand begins anew', async () => {
    for (const name of await readdir(place.env.DATA_DIR))
      await rm(join(place.env.DATA_DIR, name), { recursive: true });
    const server = await start(place.env);
    await signUp(server);
    await server.stop();
  });
});

test('a first start that dies anywhere is followed by a good one: the secrets come after the tables', async () => {
  const place = await emptySqlite();
  const database = await open(place.env);
  expect(await readdir(place.env.DATA_DIR)).not.toContain('secret-auth');
  await database.close();
  await mkdir(join(place.env.DATA_DIR, 'media'));
  await rm(join(place.env.DATA_DIR, 'sorpresa.db'));
  const server = await start(place.env);
  await server.stop();
  await place.remove();
});

test('an empty PostgreSQL beside secrets is not begun anew, and one with tables is opened by any folder', async () => {
  const [place, folder] = [await emptyPostgres(), await emptySqlite()];
  await loadSecret(place.env.DATA_DIR, 'auth');
  const refused = await open(place.env).catch((error: unknown) => error);
  expect(String(refused)).toContain('DATABASE_URL');
  expect(String(refused)).toContain('secret-auth');
  await rm(join(place.env.DATA_DIR, 'secret-auth'));
  const server = await start(place.env);
  expect((await call(server.url, 'GET', '/site')).status).toBe(200);
  await server.stop();
  const elsewhere = await open({ ...place.env, ...folder.env });
  await elsewhere.close();
  await folder.remove();
  await place.remove();
});
