import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openUnmigrated } from '../../src/server/db/beside.ts';
import { readEnv } from '../../src/server/env.ts';
import { writeArchiveFile } from '../../src/server/features/archive/archive-file.ts';
import { NotEmpty, restoreArchive } from '../../src/server/features/archive/restore.ts';
import { openStorage } from '../../src/server/storage/open.ts';
import { command, keptRows } from '../support/archive.ts';
import { takeBucket } from '../support/buckets.ts';
import { emptyPostgres } from '../support/databases.ts';
import { prepareEvening } from '../support/http-evening.ts';
import { newFolder, startServer } from '../support/server.ts';

/** The archive between a disk and a bucket. */

type Settings = Record<string, string>;

let folder: string;
let source: Settings;
let archive: string;
beforeAll(async () => {
  folder = await newFolder();
  source = { DATA_DIR: join(folder, 'source') };
  archive = join(folder, 'sorpresa.zip');
  const server = await startServer({ dataDir: source['DATA_DIR'] ?? '' });
  await prepareEvening(server);
  await server.stop();
  await backUp(source, archive);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let count = 0;
const newTarget = () => join(folder, `target-${(count += 1)}`);
const restore = (file: string, where: Settings) => restoreArchive(file, readEnv(where), new Date());

async function backUp(where: Settings, file: string): Promise<void> {
  const env = readEnv(where);
  const database = await openUnmigrated(env);
  await writeArchiveFile(database, env, file).finally(database.close);
}

/** Every row and every file. */
async function contentOf(where: Settings) {
  const env = readEnv(where);
  const { db, close } = await openUnmigrated(env);
  const rows = await keptRows(db).finally(close);
  const storage = await openStorage(env);
  const files: Record<string, string> = {};
  for await (const key of storage.keys())
    files[key] = (await buffer(await storage.read(key))).toString('base64');
  return { rows, files };
}

async function keysIn(where: Settings): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of (await openStorage(readEnv(where))).keys()) keys.push(key);
  return keys;
}

test('from SQLite and a disk to PostgreSQL and a bucket, and back: rows and files are the same', async () => {
  const { env, remove } = await emptyPostgres();
  const beyond = { ...env, ...(await takeBucket()) };
  await restore(archive, beyond);
  const before = await contentOf(source);
  expect(Object.keys(before.files)).toHaveLength(5);
  expect(await contentOf(beyond)).toEqual(before);
  expect((await readdir(env.DATA_DIR)).toSorted()).toEqual([
    'secret-auth',
    'secret-encryption',
    'sorpresa.lock',
  ]);
  const server = await startServer({ dataDir: env.DATA_DIR, env: beyond });
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  await server.stop();

  const again = join(folder, 'again.zip');
  expect(await command('backup', beyond, [again])).toMatchObject({ code: 0 });
  const home = { DATA_DIR: newTarget() };
  await restore(again, home);
  expect((await contentOf(home)).files).toEqual(before.files);
  await remove();
});

test('a bucket that holds files is left alone', async () => {
  const target = { DATA_DIR: newTarget(), ...(await takeBucket()) };
  await (await openStorage(readEnv(target))).put('theirs.mp4', Readable.from(['x']));
  const { code, output } = await command('restore', target, [archive]);
  expect([code, output]).toEqual([1, expect.stringContaining('ci sono già dei file (theirs.mp4)')]);
  await expect(restore(archive, target)).rejects.toBeInstanceOf(NotEmpty);
  expect(await keysIn(target)).toEqual(['theirs.mp4']);
});

test('a restore that fails after the files are in the bucket takes them out again', async () => {
  const { env, remove } = await emptyPostgres();
  const busy = await startServer({ dataDir: newTarget(), env: { DATABASE_URL: env.DATABASE_URL ?? '' } });
  await busy.stop();
  const target = { ...env, ...(await takeBucket()) };
  await expect(restore(archive, target)).rejects.toBeInstanceOf(NotEmpty);
  expect(await keysIn(target)).toEqual([]);
  expect((await readdir(env.DATA_DIR)).filter((name) => name !== 'sorpresa.lock')).toEqual([]);
  await remove();
});

test('one that was killed with half of the files in the bucket is done by the next', async () => {
  const target = { DATA_DIR: newTarget(), ...(await takeBucket()) };
  const media = join(target.DATA_DIR, 'restoring', 'media');
  await mkdir(media, { recursive: true });
  await writeFile(join(target.DATA_DIR, 'restoring', 'signature'), 'x');
  for (const key of ['a.mp4', 'b.mp4']) await writeFile(join(media, key), 'half');
  const storage = await openStorage(readEnv(target));
  await storage.put('a.mp4', Readable.from(['half']));
  await restore(archive, target);
  expect((await contentOf(target)).files).toEqual((await contentOf(source)).files);
});

test('on one machine with a bucket an archive holds the bucket’s files and the folder’s secrets', async () => {
  const where = { DATA_DIR: newTarget(), ...(await takeBucket()) };
  await restore(archive, where);
  const copy = join(folder, 'copy.zip');
  await backUp(where, copy);
  const home = { DATA_DIR: newTarget() };
  await restore(copy, home);
  expect((await contentOf(home)).files).toEqual((await contentOf(source)).files);
  expect(await readFile(join(home.DATA_DIR, 'secret-auth'), 'utf8')).toHaveLength(44);
});
