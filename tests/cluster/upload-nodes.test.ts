import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/server/db/open.ts';
import { ffmpeg } from '../support/ffmpeg.ts';
import type { Answered } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import { type OwnPostgres, ownPostgres } from '../support/own-postgres.ts';
import { type BucketEnv, newBucket, type Radosgw, s3Client, startRadosgw } from '../support/radosgw.ts';
import { newFolder, type SpawnedServer, spawnServer } from '../support/server.ts';
import { announce, filmOf, finish, idOf, offsetOf, send } from '../support/uploads.ts';

const ROUNDS = 6;
const MIB = 1024 * 1024;
/** Of a film whose node is killed: so much is sent to it, so much of that is in pieces of 8 MiB, and so much there is in all. */
const [CUT, SAFE, WHOLE] = [20 * MIB, 16 * MIB, 30 * MIB];

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

/** What no phone plays, and takes long enough to be seen under way. */
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

/** What the nodes of one database share besides. */
type Sharing = {
  /** Where one works that is started now. */
  place(): Promise<{ dataDir: string; env: Record<string, string> }>;
  /** The file that is stored under this name. */
  stored(name: string): Promise<Buffer>;
  /** What of uploads is left, but in the folders of those that were killed. */
  left(): Promise<string[]>;
};

const node = async ({ place }: Sharing) => {
  const { dataDir, env } = await place();
  return { dataDir, server: await spawnServer({ dataDir, env: { DATABASE_URL: postgres.url, ...env } }) };
};

/** The one that stays is there, and the administrator. */
async function begin(sharing: Sharing): Promise<void> {
  const { dataDir, server } = await node(sharing);
  stays = server;
  database = await openDatabase({ DATA_DIR: dataDir, DATABASE_URL: postgres.url });
  cookie = await signUp(stays);
}

/** Is something made of this upload in this folder, and not yet all of it? */
async function isUnderWay(dataDir: string, id: string): Promise<boolean> {
  const found = await stat(join(dataDir, 'uploads', `${id}.made`)).catch(() => null);
  return found !== null && found.size > 0;
}

/** The files are the ones that their rows describe. */
async function expectWhole(ids: readonly string[], { stored }: Sharing): Promise<void> {
  const rows = await database.db.selectFrom('media').selectAll().where('id', 'in', ids).execute();
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  for (const { id, extension, size, sha256 } of rows) {
    const bytes = await stored(`${id}.${extension}`);
    expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([size, sha256]);
  }
}

/** Nodes that are killed in the middle of a conversion, one after the other: the one that stays does it all. */
async function killedWhileConverting(sharing: Sharing): Promise<void> {
  await begin(sharing);
  const asked: Promise<Answered>[] = [];
  const ids: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { dataDir, server: killed } = await node(sharing);
    const to = { url: killed.url, cookie };
    const id = idOf(await announce(to, film.length, { slot: 'video', filename: `${round}.mp4` }));
    expect((await send(to, id, 0, film)).status).toBe(204);
    await expect.poll(() => isUnderWay(dataDir, id), { timeout: 60_000, interval: 10 }).toBe(true);
    await killed.end('SIGKILL');
    // It was at it until then.
    const held = await database.db.selectFrom('upload_leases').select('key').execute();
    expect(held.map(({ key }) => key)).toContain(`work:${id}`);
    ids.push(id);
    asked.push(finish({ url: stays.url, cookie }, id));
  }
  const ends = await Promise.all(asked);
  expect(ends.map(({ status, body }) => [status, body.state])).toEqual(ends.map(() => [200, 'done']));
  const videos = await database.db.selectFrom('videos').select('nome').execute();
  expect(videos.map(({ nome }) => nome).toSorted()).toEqual(ids.map((_, n) => `${n}.mp4`).toSorted());
  await expectWhole(ids, sharing);
  expect(await sharing.left()).toEqual([]);
  expect(stays.output()).not.toContain('"level":50');
}

describe('nodes that share a folder', () => {
  test(`${ROUNDS} that are killed while they convert a film: the other does it, each is kept once and whole`, {
    timeout: 900_000,
  }, async () => {
    const folder = await ownFolder();
    await killedWhileConverting({
      place: async () => ({ dataDir: folder, env: {} }),
      stored: (name) => readFile(join(folder, 'media', name)),
      left: () => readdir(join(folder, 'uploads')),
    });
  });
});

describe('nodes that share a bucket and nothing else', () => {
  let radosgw: Radosgw;
  let bucket: BucketEnv;
  let sharing: Sharing;
  beforeAll(async () => {
    radosgw = await startRadosgw();
  });
  afterAll(() => radosgw?.stop());
  beforeEach(async () => {
    bucket = await newBucket(radosgw.env);
    const AUTH_SECRET = randomBytes(32).toString('base64');
    const ENCRYPTION_SECRET = randomBytes(32).toString('base64');
    sharing = {
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
    };
  });

  test(
    `${ROUNDS} that are killed while they convert a film: the other does it, each is kept once and whole`,
    {
      timeout: 900_000,
    },
    () => killedWhileConverting(sharing),
  );

  test('a film of which a node took half before it was killed goes on at two others, and arrives as if it had come at once', async () => {
    await begin(sharing);
    const bytes = await filmOf(WHOLE);
    const { dataDir, server: killed } = await node(sharing);
    const id = idOf(
      await announce({ url: killed.url, cookie }, WHOLE, { slot: 'video', filename: 'film.mp4' }),
    );
    const hung = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(bytes.subarray(0, CUT))),
    });
    const cut = send({ url: killed.url, cookie }, id, 0, hung).catch(() => 'cut');
    // Whole pieces of it are safe, the rest is in its memory.
    await expect.poll(sharing.left).toHaveLength(3);
    await killed.end('SIGKILL');
    expect(await cut).toBe('cut');
    await rm(dataDir, { recursive: true });
    const [to, third] = [{ url: stays.url, cookie }, await node(sharing)];
    // Until its lease has run out it may be there still.
    await expect.poll(() => offsetOf(to, id)).toBe(SAFE);
    expect((await send(to, id, SAFE, bytes.subarray(SAFE, CUT))).status).toBe(204);
    const last = { url: third.server.url, cookie };
    expect((await send(last, id, CUT, bytes.subarray(CUT))).status).toBe(204);
    expect((await finish(last, id)).body.state).toBe('done');
    const whole = idOf(await announce(to, WHOLE, { slot: 'video', filename: 'di-fila.mp4' }));
    expect((await send(to, whole, 0, bytes)).status).toBe(204);
    expect((await finish(to, whole)).body.state).toBe('done');
    await expectWhole([id, whole], sharing);
    const rows = await database.db
      .selectFrom('media')
      .select('sha256')
      .where('id', 'in', [id, whole])
      .execute();
    expect(new Set(rows.map(({ sha256 }) => sha256)).size).toBe(1);
    expect(await sharing.left()).toEqual([]);
    await third.server.end('SIGKILL');
  });
});
