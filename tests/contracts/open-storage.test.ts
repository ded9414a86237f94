import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStorage, type StorageEnv, storageName } from '../../src/server/storage/open.ts';
import { newFolder } from '../support/server.ts';

/** Which place is opened. What each of them does is in storage.test.ts. */

let folder: string;
let bucket: StorageEnv;
beforeEach(async () => {
  folder = await newFolder();
  // Nobody is there: opening asks for nothing.
  bucket = {
    DATA_DIR: folder,
    S3_ENDPOINT: 'https://s3.example',
    S3_REGION: 'eu',
    S3_BUCKET: 'serata',
    S3_KEY: 'key',
    S3_SECRET: 'secret',
    S3_PATH_STYLE: undefined,
  };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a bucket where all of S3’s settings are there, else the disk', async () => {
  expect([(await openStorage(bucket)).isOnDisk, storageName(bucket)]).toEqual([
    false,
    'the bucket serata at https://s3.example',
  ]);
  expect(await readdir(folder)).toEqual([]);
  for (const missing of ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_KEY', 'S3_SECRET'] as const) {
    const env = { ...bucket, [missing]: undefined };
    expect([(await openStorage(env)).isOnDisk, storageName(env)]).toEqual([true, join(folder, 'media')]);
  }
});

test('copies that a crash left go after a day, and at once where no other process is', async () => {
  const lent = join(folder, 'lent');
  await mkdir(lent);
  for (const [name, hours] of [
    ['old', 25],
    ['young', 23],
  ] as const) {
    const then = new Date(Date.now() - hours * 3_600_000);
    await writeFile(join(lent, name), 'x');
    await utimes(join(lent, name), then, then);
  }
  await openStorage(bucket);
  expect(await readdir(lent)).toEqual(['young']);
  await openStorage(bucket, { alone: true });
  expect(await readdir(lent)).toEqual([]);
});
