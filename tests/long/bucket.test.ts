import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openUnmigrated } from '../../src/server/db/open.ts';
import { readEnv } from '../../src/server/env.ts';
import { restoreArchive, TargetNotEmpty } from '../../src/server/features/archive/restore.ts';
import { writeArchiveFile } from '../../src/server/features/archive/write.ts';
import { openStorage } from '../../src/server/storage/open.ts';
import { archivedRows, command } from '../support/archive.ts';
import { takeBucket } from '../support/buckets.ts';
import { emptyPostgres } from '../support/databases.ts';
import {
  buildCode,
  type Evening,
  enter,
  prepareEvening,
  revokeCode,
  store,
  walkTo,
} from '../support/http-evening.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';
import { keysOf } from '../support/storage-suite.ts';
import { upload } from '../support/uploads.ts';

/** The product with its files in a bucket. */

const MB = 1024 ** 2;
/** More than the connections buffer. */
const SIZE = 40 * MB;

let folder: string;
beforeAll(async () => {
  folder = await newFolder();
});
afterAll(() => rm(folder, { recursive: true, force: true }));
let count = 0;
const place = () => join(folder, `place-${(count += 1)}`);

describe('file in a bucket', () => {
  let server: TestServer;
  let evening: Evening;
  let film: string;
  beforeAll(async () => {
    const dataDir = place();
    const env = await takeBucket();
    const before = await startServer({ dataDir, env });
    const megabytes = Array.from({ length: SIZE / MB }, (_, n) => Buffer.alloc(MB, n));
    film = (await store(before, 'lungo.mp4', Readable.from(megabytes))).url;
    evening = await prepareEvening(before, { video_url: film });
    // The next start deletes a copy that a crash left.
    await before.deps.storage.put('a.bin', Readable.from(['x']));
    await before.deps.storage.withLocalPath('a.bin', () => writeFile(join(dataDir, 'lent', 'left'), 'x'));
    await before.stop();
    server = await startServer({ dataDir, env });
  });
  afterAll(() => server.stop());

  test('is cut during its transfer when the code is revoked, only for visitors with that code', async () => {
    const lengthFor = async (code: Evening['token']) => {
      const cookie = await enter(server, { token: code });
      await walkTo(server, cookie, 'video');
      const answer = await fetch(`${server.url}${film}`, { headers: { cookie } });
      return () =>
        answer.arrayBuffer().then(
          ({ byteLength }) => byteLength,
          () => 'cut',
        );
    };
    const token = await buildCode(server, evening);
    const [cut, kept] = [await lengthFor(token), await lengthFor(evening.token)];
    await revokeCode(server, evening, token);
    expect([await cut(), await kept()]).toEqual(['cut', SIZE]);
  });

  test('is converted and stored in the bucket when uploaded, and leaves no local files', async () => {
    const inDataDir = (name: string) => join(server.deps.env.DATA_DIR, name);
    expect(await readdir(inDataDir('lent'))).toEqual([]);
    const before = await keysOf(server.deps.storage);
    const picture = join(import.meta.dirname, '../fixtures/picture.jpg');
    const to = { url: server.url, cookie: evening.admin };
    expect((await upload(to, 'immagine', picture)).body).toMatchObject({ state: 'done' });
    const made = (await keysOf(server.deps.storage)).filter(
      (key) => !before.includes(key) && key.endsWith('.jpg'),
    );
    expect(made.length).toBeGreaterThan(0);
    expect(existsSync(inDataDir('media'))).toBe(false);
    expect(await readdir(inDataDir('uploads'))).toEqual([]);
    // Its other sizes may still be in progress.
    await expect.poll(() => readdir(inDataDir('lent'))).toEqual([]);
  });
});

describe('archive', () => {
  type Settings = Record<string, string>;
  let source: Settings;
  let archive: string;
  beforeAll(async () => {
    source = { DATA_DIR: place() };
    archive = join(folder, 'sorpresa.zip');
    const server = await startServer({ dataDir: source['DATA_DIR'] ?? '' });
    await prepareEvening(server);
    await server.stop();
    await backUp(source, archive);
  });
  const restore = (file: string, where: Settings) => restoreArchive(file, readEnv(where), new Date());
  const keysAt = async (where: Settings) => keysOf(await openStorage(readEnv(where)));

  async function backUp(where: Settings, file: string): Promise<void> {
    const env = readEnv(where);
    const database = await openUnmigrated(env);
    await writeArchiveFile(database, env, file).finally(database.close);
  }

  /** Returns all rows and all files. */
  async function contentOf(where: Settings) {
    const env = readEnv(where);
    const { db, close } = await openUnmigrated(env);
    const rows = await archivedRows(db).finally(close);
    const storage = await openStorage(env);
    const files: Record<string, string> = {};
    for (const key of await keysOf(storage))
      files[key] = (await buffer(await storage.read(key))).toString('base64');
    return { rows, files };
  }

  test('moves the same rows and files from SQLite and a disk to PostgreSQL and a bucket, and back', async () => {
    const { env, remove } = await emptyPostgres();
    const beyond = { ...env, ...(await takeBucket()) };
    await restore(archive, beyond);
    const before = await contentOf(source);
    expect(Object.keys(before.files)).toHaveLength(5);
    expect(await contentOf(beyond)).toEqual(before);
    const server = await startServer({ dataDir: env.DATA_DIR, env: beyond });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await server.stop();
    const again = join(folder, 'again.zip');
    expect(await command('backup', beyond, [again])).toMatchObject({ code: 0 });
    const home = { DATA_DIR: place() };
    await restore(again, home);
    expect((await contentOf(home)).files).toEqual(before.files);
    await remove();
  });

  test('is not restored into a bucket with files, or before a database in use, and leaves nothing then', async () => {
    const target = { DATA_DIR: place(), ...(await takeBucket()) };
    await (await openStorage(readEnv(target))).put('theirs.mp4', Readable.from(['x']));
    await expect(restore(archive, target)).rejects.toThrow(TargetNotEmpty);
    expect(await keysAt(target)).toEqual(['theirs.mp4']);
    const { env, remove } = await emptyPostgres();
    const busy = await startServer({ dataDir: place(), env: { DATABASE_URL: env.DATABASE_URL ?? '' } });
    await busy.stop();
    const used = { ...env, ...(await takeBucket()) };
    await expect(restore(archive, used)).rejects.toThrow(TargetNotEmpty);
    expect(await keysAt(used)).toEqual([]);
    expect((await readdir(env.DATA_DIR)).filter((name) => name !== 'sorpresa.lock')).toEqual([]);
    await remove();
  });

  test('is restored after a restore that was killed with half of its files in the bucket', async () => {
    const target = { DATA_DIR: place(), ...(await takeBucket()) };
    const media = join(target.DATA_DIR, 'restoring', 'media');
    await mkdir(media, { recursive: true });
    await writeFile(join(target.DATA_DIR, 'restoring', 'signature'), 'x');
    for (const key of ['a.mp4', 'b.mp4']) await writeFile(join(media, key), 'half');
    await (await openStorage(readEnv(target))).put('a.mp4', Readable.from(['half']));
    await restore(archive, target);
    expect((await contentOf(target)).files).toEqual((await contentOf(source)).files);
  });
});
