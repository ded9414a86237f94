import { createHash } from 'node:crypto';
import { copyFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ListMultipartUploadsCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { sweepUploads } from '../../src/server/features/uploads/uploads.sweeper.ts';
import type { Course } from '../../src/server/media-worker/worker.ts';
import { StorageUnavailable } from '../../src/server/storage/storage.ts';
import { takeBucket } from '../support/buckets.ts';
import { postgresDatabase, type TestDatabase } from '../support/databases.ts';
import { type Answered, call } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import { type BucketEnv, s3Client } from '../support/radosgw.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';
import {
  announce,
  arrived,
  cancel,
  filmOf,
  finish,
  idOf,
  offsetOf,
  send,
  ticketsOf,
} from '../support/uploads.ts';

/** Two nodes that share nothing but a database and a bucket. */
const MB = 1024 * 1024;
const HOUR_MS = 3_600_000;

let database: TestDatabase;
let bucket: BucketEnv;
let folders: [string, string];
let first: TestServer;
let second: TestServer;
let cookie: string;
beforeAll(async () => {
  [database, bucket] = [await postgresDatabase(), await takeBucket()];
  folders = [await newFolder(), await newFolder()];
  const { DATABASE_URL = '' } = database.env;
  const start = (dataDir: string) => startServer({ dataDir, env: { DATABASE_URL, ...bucket } });
  first = await start(folders[0]);
  for (const name of ['secret-auth', 'secret-encryption'])
    await copyFile(join(folders[0], name), join(folders[1], name));
  second = await start(folders[1]);
  cookie = await signUp(first);
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await Promise.all([first, second].map((node) => node?.stop()));
  await database.drop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const at = ({ url }: TestServer) => ({ url, cookie });
const code = ({ status, body }: Answered) => (status < 400 ? status : body.codice);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** What of uploads lies in the bucket, and in the folders of both nodes. Pages of tickets that were kept before may be drawn there meanwhile. */
async function lying(): Promise<string[]> {
  const list = new ListObjectsV2Command({ Bucket: bucket.S3_BUCKET, Prefix: 'uploads/' });
  const { Contents = [] } = await s3Client(bucket).send(list);
  const here = await Promise.all(folders.map((folder) => readdir(join(folder, 'uploads'))));
  return [...Contents.map(({ Key = '' }) => Key.slice('uploads/'.length)), ...here.flat()];
}

const sorted = async () => (await lying()).toSorted();

const begun = async (size: number, slot = 'biglietti') =>
  idOf(await announce(at(first), size, { slot, filename: 'a.pdf' }));

async function readWhole(id: string, node: TestServer): Promise<[number, string]> {
  const row = await database.db
    .selectFrom('media')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const answer = await fetch(`${node.url}/api/media/${id}.${row.extension}`, { headers: { cookie } });
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([answer.status, sha256(bytes)]).toEqual([200, row.sha256]);
  return [bytes.length, row.sha256];
}

test('tickets sent to one node and to the other in turn arrive whole', async () => {
  const tickets = await ticketsOf(10 * MB);
  const id = await begun(tickets.length);
  const cuts = [0, 9 * MB, 9 * MB + 1, tickets.length - 100_000, tickets.length];
  for (const [n, start] of cuts.slice(0, -1).entries()) {
    const node = n % 2 === 0 ? first : second;
    expect(await offsetOf(at(node), id)).toBe(start);
    expect((await send(at(node), id, start, tickets.subarray(start, cuts[n + 1]))).status).toBe(204);
  }
  expect((await finish(at(first), id)).body.state).toBe('done');
  for (const node of [first, second])
    expect(await readWhole(id, node)).toEqual([tickets.length, sha256(tickets)]);
  await expect.poll(lying).toEqual([]);
});

test('a film sent half here and half there is made by either', async () => {
  const film = await filmOf(3 * MB);
  const id = idOf(await announce(at(first), film.length, { slot: 'video', filename: 'film.mp4' }));
  const half = Math.floor(film.length / 2);
  expect((await send(at(first), id, 0, film.subarray(0, half))).status).toBe(204);
  expect((await send(at(second), id, half, film.subarray(half))).status).toBe(204);
  expect((await finish(at(first), id)).body.state).toBe('done');
  expect((await readWhole(id, first))[0]).toBeGreaterThan(0);
  await expect.poll(lying).toEqual([]);
});

test('what hangs at one node goes on at the other, behind every byte that had come', async () => {
  const tickets = await ticketsOf(MB);
  const id = await begun(tickets.length);
  const half = Math.floor(tickets.length / 2);
  const hung = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(tickets.subarray(0, half))),
  });
  const begins = vi.spyOn(first.deps.uploads.folder.store, 'write');
  const hanging = send(at(first), id, 0, hung).catch(() => null);
  await vi.waitFor(() => expect(begins).toHaveBeenCalled(), { timeout: 10_000 });
  const offset = (await offsetOf(at(second), id)) ?? -1;
  expect(offset).toBe(await arrived(second, id));
  expect((await send(at(second), id, offset, tickets.subarray(offset))).status).toBe(204);
  await hanging;
  expect((await finish(at(second), id)).body.state).toBe('done');
  expect(await readWhole(id, first)).toEqual([tickets.length, sha256(tickets)]);
});

test('a refusal is remembered for both, and forgotten at either', async () => {
  const id = await begun(1_000);
  expect((await send(at(first), id, 0, Buffer.alloc(1_000, 7))).status).toBe(204);
  const ends = await Promise.all([second, first].map((node) => finish(at(node), id)));
  expect(ends.map(code)).toEqual(['FILE_NOT_TICKETS', 'FILE_NOT_TICKETS']);
  await expect.poll(lying).toEqual([`${id}.refused`]);
  const { body } = await call(second.url, 'GET', '/admin/uploads', undefined, { cookie });
  expect(body).toMatchObject([{ upload: id, state: 'refused', nome: 'a.pdf', size: 1_000 }]);
  const dismissed = await call(second.url, 'POST', `/admin/uploads/${id}/dismiss`, {}, { cookie });
  expect(dismissed.status).toBe(200);
  await expect.poll(lying).toEqual([]);
});

test('deleted at one node while the other checks it: the check stops, and nothing is left in bucket or folders', async () => {
  const course = Promise.withResolvers<Course>();
  vi.spyOn(first.deps.mediaWorker, 'do').mockImplementation(async (_work, its) => {
    course.resolve(its);
    await new Promise((resolve) => its.signal.addEventListener('abort', resolve));
    throw its.signal.reason;
  });
  const tickets = await ticketsOf(10_000);
  const id = await begun(tickets.length);
  expect((await send(at(first), id, 0, tickets)).status).toBe(204);
  await course.promise;
  expect((await lying()).filter((name) => name.endsWith('.part'))).toHaveLength(1);
  expect((await cancel(at(second), id)).status).toBe(204);
  expect((await course.promise).signal.aborted).toBe(true);
  for (const node of [first, second]) expect(code(await finish(at(node), id))).toBe('NOT_FOUND');
  await expect.poll(lying).toEqual([]);
});

test('while the bucket is away an upload isn’t gone: it is asked for later, and goes on where it was', async () => {
  // What comes is more than waits in a socket.
  const tickets = await ticketsOf(3 * MB);
  const id = await begun(tickets.length);
  expect((await send(at(first), id, 0, tickets.subarray(0, 5_000))).status).toBe(204);
  const { arriving } = second.deps.storage;
  if (arriving === null) return expect.unreachable();
  const away = () => Promise.reject(new StorageUnavailable('away'));
  for (const what of ['list', 'get', 'put'] as const) {
    vi.spyOn(arriving, what).mockImplementation(away);
    const refused = await send(at(second), id, 5_000, tickets.subarray(5_000));
    expect([refused.status, code(refused)]).toEqual([503, 'UNAVAILABLE']);
    vi.restoreAllMocks();
  }
  vi.spyOn(arriving, 'get').mockImplementation(away);
  const look = { cookie, headers: { 'tus-resumable': '1.0.0' } };
  expect((await call(second.url, 'HEAD', `/admin/uploads/${id}`, undefined, look)).status).toBe(503);
  vi.restoreAllMocks();
  expect(await offsetOf(at(second), id)).toBe(5_000);
  expect((await send(at(second), id, 5_000, tickets.subarray(5_000))).status).toBe(204);
  expect((await finish(at(second), id)).body.state).toBe('done');
  expect(await readWhole(id, second)).toEqual([tickets.length, sha256(tickets)]);
});

test('one that nobody goes on with is swept after a day, what belongs to none after minutes, and no parts are left in the bucket', async () => {
  const id = await begun(30 * MB, 'video');
  expect((await send(at(first), id, 0, Buffer.alloc(9 * MB))).status).toBe(204);
  const stray = 'f'.repeat(32);
  for (const key of [`${stray}/0-3`, 'notes.txt'])
    await s3Client(bucket).send(
      new PutObjectCommand({ Bucket: bucket.S3_BUCKET, Key: `uploads/${key}`, Body: 'old' }),
    );
  const sweepIn = (ms: number) =>
    sweepUploads({ ...second.deps, now: () => new Date(second.deps.now().getTime() + ms) });
  const pieces = [`${id}.json`, `${id}/0-${8 * MB}`, `${id}/${8 * MB}-${9 * MB}`];
  await sweepIn(0);
  await expect.poll(sorted).toEqual([...pieces, `${stray}/0-3`, 'notes.txt'].toSorted());
  await sweepIn(HOUR_MS);
  await expect.poll(sorted).toEqual(pieces.toSorted());
  await sweepIn(25 * HOUR_MS);
  await expect.poll(lying).toEqual([]);
  const parts = await s3Client(bucket).send(new ListMultipartUploadsCommand({ Bucket: bucket.S3_BUCKET }));
  expect(parts.Uploads ?? []).toEqual([]);
  expect(await offsetOf(at(first), id)).toBeNull();
});
