import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/server/db/open.ts';
import { ffmpeg } from '../support/ffmpeg.ts';
import type { Answered } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import { type OwnPostgres, ownPostgres } from '../support/own-postgres.ts';
import { newBucket, s3Client, startRadosgw } from '../support/radosgw.ts';
import { newFolder, type SpawnedServer, spawnServer } from '../support/server.ts';
import { announce, finish, idOf, send } from '../support/uploads.ts';

const ROUNDS = 6;

let film: Buffer;
let postgres: OwnPostgres;
let database: Database;
let stays: SpawnedServer;
let folders: string[];
let cookie: string;
beforeAll(async () => {
  film = await filmToConvert();
});
beforeEach(async () => {
  folders = [];
  postgres = await ownPostgres();
});
afterEach(async () => {
  await stays.end('SIGKILL');
  await database.close();
  await postgres.remove();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** Creates a film that no phone plays, and that takes long enough to convert to be observed. */
async function filmToConvert(): Promise<Buffer> {
  const place = await mkdtemp(join(tmpdir(), 'films-'));
  const path = join(place, 'film.mp4');
  const picture = 'testsrc2=size=640x360:rate=25:duration=6';
  await ffmpeg('-f', 'lavfi', '-i', picture, '-c:v', 'mpeg4', '-q:v', '8', path);
  const bytes = await readFile(path);
  await rm(place, { recursive: true });
  return bytes;
}

async function ownFolder(): Promise<string> {
  const folder = await newFolder();
  folders.push(folder);
  return folder;
}

/** Shared storage of the nodes of one database. */
type Sharing = {
  /** Data folder and settings of a new node. */
  place(): Promise<{ dataDir: string; env: Record<string, string> }>;
  /** Returns the stored file with this name. */
  stored(name: string): Promise<Buffer>;
  /** Returns the leftovers of uploads, except in the folders of killed nodes. */
  left(): Promise<string[]>;
};

const node = async ({ place }: Sharing) => {
  const { dataDir, env } = await place();
  return { dataDir, server: await spawnServer({ dataDir, env: { DATABASE_URL: postgres.url, ...env } }) };
};

/** Starts the surviving node and signs the administrator up. */
async function begin(sharing: Sharing): Promise<void> {
  const { dataDir, server } = await node(sharing);
  stays = server;
  database = await openDatabase({ DATA_DIR: dataDir, DATABASE_URL: postgres.url });
  cookie = await signUp(stays);
}

/** Returns true if this upload is being converted in this folder. */
async function isUnderWay(dataDir: string, id: string): Promise<boolean> {
  const found = await stat(join(dataDir, 'uploads', `${id}.made`)).catch(() => null);
  return found !== null && found.size > 0;
}

/** Checks that the files match their rows. */
async function expectWhole(ids: readonly string[], { stored }: Sharing): Promise<void> {
  const rows = await database.db.selectFrom('media').selectAll().where('id', 'in', ids).execute();
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  for (const { id, extension, size, sha256 } of rows) {
    const bytes = await stored(`${id}.${extension}`);
    expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([size, sha256]);
  }
}

/** Kills one node after another in the middle of a conversion; the surviving node completes them all. */
async function killedWhileConverting(sharing: Sharing): Promise<void> {
  await begin(sharing);
  const results: Promise<Answered>[] = [];
  const ids: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { dataDir, server: killed } = await node(sharing);
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
  await expectWhole(ids, sharing);
  expect(await sharing.left()).toEqual([]);
  expect(stays.output()).not.toContain('"level":50');
}

const CASE = `${ROUNDS} nodes that are killed while they convert a film: the one that stays does it, each is kept once and whole`;

test(`${CASE}, with one folder`, { timeout: 900_000 }, async () => {
  const folder = await ownFolder();
  await killedWhileConverting({
    place: async () => ({ dataDir: folder, env: {} }),
    stored: (name) => readFile(join(folder, 'media', name)),
    left: () => readdir(join(folder, 'uploads')),
  });
});

test(`${CASE}, with one bucket`, { timeout: 900_000 }, async () => {
  const radosgw = await startRadosgw();
  try {
    const bucket = await newBucket(radosgw.env);
    const AUTH_SECRET = randomBytes(32).toString('base64');
    const ENCRYPTION_SECRET = randomBytes(32).toString('base64');
    await killedWhileConverting({
      place: async () => ({ dataDir: await ownFolder(), env: { ...bucket, AUTH_SECRET, ENCRYPTION_SECRET } }),
      stored: async (name) => {
        const answer = await fetch(`${stays.url}/api/media/${name}`, { headers: { cookie } });
        return Buffer.from(await answer.arrayBuffer());
      },
      left: async () => {
        const list = { Bucket: bucket.S3_BUCKET, Prefix: 'uploads/' };
        const { Contents = [] } = await s3Client(bucket).send(new ListObjectsV2Command(list));
        const { Uploads = [] } = await s3Client(bucket).send(new ListMultipartUploadsCommand(list));
        return [...Contents, ...Uploads].map(({ Key = '' }) => Key);
      },
    });
  } finally {
    await stays.end('SIGKILL');
    await radosgw.stop();
  }
});
