import { createHash, randomBytes } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/server/db/open.ts';
import { takeBucket } from '../support/buckets.ts';
import { ffmpeg } from '../support/ffmpeg.ts';
import type { Answered } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import { type OwnPostgres, ownPostgres } from '../support/own-postgres.ts';
import { type BucketEnv, s3Client } from '../support/radosgw.ts';
import { newFolder, type SpawnedServer, spawnServer } from '../support/server.ts';
import { announce, finish, idOf, send } from '../support/uploads.ts';

/** Nodes of one PostgreSQL and one bucket, each with its own folder. */

const ROUNDS = 4;

let folders: string[];
let postgres: OwnPostgres;
let bucket: BucketEnv;
let database: Database;
let stays: SpawnedServer;
const secrets = {
  AUTH_SECRET: randomBytes(32).toString('base64'),
  ENCRYPTION_SECRET: randomBytes(32).toString('base64'),
};
beforeAll(async () => {
  folders = [];
  [postgres, bucket] = [await ownPostgres(), await takeBucket()];
  const first = await node();
  stays = first.server;
  database = await openDatabase({ DATA_DIR: first.dataDir, DATABASE_URL: postgres.url });
});
afterAll(async () => {
  await stays.end('SIGKILL');
  await database.close();
  await postgres.remove();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function node(): Promise<{ dataDir: string; server: SpawnedServer }> {
  const dataDir = await newFolder();
  folders.push(dataDir);
  const env = { DATABASE_URL: postgres.url, ...bucket, ...secrets };
  return { dataDir, server: await spawnServer({ dataDir, env }) };
}

/** Creates a film that no phone plays, and that takes long enough to convert to be observed. */
async function filmToConvert(): Promise<Buffer> {
  const path = join(folders[0] ?? '', 'film.mp4');
  const picture = 'testsrc2=size=640x360:rate=25:duration=6';
  await ffmpeg('-f', 'lavfi', '-i', picture, '-c:v', 'mpeg4', '-q:v', '8', path);
  return readFile(path);
}

/** Returns true if this upload is being converted in this folder. */
async function isUnderWay(dataDir: string, id: string): Promise<boolean> {
  const found = await stat(join(dataDir, 'uploads', `${id}.made`)).catch(() => null);
  return found !== null && found.size > 0;
}

test(`completes the conversions of ${ROUNDS} killed nodes at the one that stays, each once and whole`, async () => {
  const film = await filmToConvert();
  const cookie = await signUp(stays);
  const results: Promise<Answered>[] = [];
  const ids: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { dataDir, server: killed } = await node();
    const to = { url: killed.url, cookie };
    const id = idOf(await announce(to, film.length, { slot: 'video', filename: `${round}.mp4` }));
    expect((await send(to, id, 0, film)).status).toBe(204);
    await expect.poll(() => isUnderWay(dataDir, id), { timeout: 60_000, interval: 10 }).toBe(true);
    await killed.end('SIGKILL');
    // It held the lease until then.
    const held = await database.db.selectFrom('upload_leases').select('key').execute();
    expect(held.map(({ key }) => key)).toContain(`work:${id}`);
    ids.push(id);
    results.push(finish({ url: stays.url, cookie }, id));
  }
  const ends = await Promise.all(results);
  expect(ends.map(({ status, body }) => [status, body.state])).toEqual(ends.map(() => [200, 'done']));
  const videos = await database.db.selectFrom('videos').select('nome').execute();
  expect(videos.map(({ nome }) => nome).toSorted()).toEqual(ids.map((_, n) => `${n}.mp4`).toSorted());
  const rows = await database.db.selectFrom('media').selectAll().where('id', 'in', ids).execute();
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  for (const { id, extension, size, sha256 } of rows) {
    const answer = await fetch(`${stays.url}/api/media/${id}.${extension}`, { headers: { cookie } });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([size, sha256]);
  }
  const list = { Bucket: bucket.S3_BUCKET, Prefix: 'uploads/' };
  const { Contents = [] } = await s3Client(bucket).send(new ListObjectsV2Command(list));
  const { Uploads = [] } = await s3Client(bucket).send(new ListMultipartUploadsCommand(list));
  expect([...Contents, ...Uploads]).toEqual([]);
  expect(stays.output()).not.toContain('"level":50');
});
