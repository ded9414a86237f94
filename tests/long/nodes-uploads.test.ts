import { createHash } from 'node:crypto';
import { copyFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ListMultipartUploadsCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { sweepUploads } from '../../src/server/features/uploads/arrivals.ts';
import { StorageUnavailable } from '../../src/server/storage/storage.ts';
import { takeBucket } from '../support/buckets.ts';
import { postgresDatabase, type TestDatabase } from '../support/databases.ts';
import { type Answered, call } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import { type BucketEnv, s3Client } from '../support/radosgw.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';
import { announce, arrived, cancel, finish, idOf, offsetOf, send, ticketsOf } from '../support/uploads.ts';

/** Two nodes on one PostgreSQL, with one shared folder or only one shared bucket. */

/** Rounds of each race, since the order varies. */
const ROUNDS = 3;
const MB = 1024 ** 2;
const HOUR_MS = 3_600_000;

let database: TestDatabase;
let bucket: BucketEnv | null;
/** One folder per node, or one for both. */
let folders: string[];
let first: TestServer;
let second: TestServer;
let cookie: string;
const start = (dataDir = '') =>
  startServer({ dataDir, env: { DATABASE_URL: database.env.DATABASE_URL ?? '', ...bucket } });

/** Starts two nodes for the tests of a block. */
function useNodes(hasBucket: boolean): void {
  beforeAll(async () => {
    [database, bucket] = [await postgresDatabase(), hasBucket ? await takeBucket() : null];
    folders = hasBucket ? [await newFolder(), await newFolder()] : [database.env.DATA_DIR];
    first = await start(folders[0]);
    if (hasBucket)
      for (const name of ['secret-auth', 'secret-encryption'])
        await copyFile(join(folders[0] ?? '', name), join(folders[1] ?? '', name));
    second = await start(folders.at(-1));
    cookie = await signUp(first);
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(async () => {
    await Promise.all([first, second].map((node) => node.stop()));
    await database.drop();
    if (hasBucket) for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });
}

const at = ({ url }: TestServer) => ({ url, cookie });
const code = ({ status, body }: Answered) => (status < 400 ? status : body.codice);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Lists the uploads in the bucket and in the folders. */
async function listUploads(): Promise<string[]> {
  const found = await Promise.all(folders.map((folder) => readdir(join(folder, 'uploads'))));
  if (bucket === null) return found.flat();
  const list = new ListObjectsV2Command({ Bucket: bucket.S3_BUCKET, Prefix: 'uploads/' });
  const { Contents = [] } = await s3Client(bucket).send(list);
  return [...Contents.map(({ Key = '' }) => Key.slice('uploads/'.length)), ...found.flat()];
}
const sorted = async () => (await listUploads()).toSorted();

const begun = async (size: number, slot = 'biglietti') =>
  idOf(await announce(at(first), size, { slot, filename: 'a.pdf' }));

/** Sends complete tickets to the first node. Returns the upload's id. */
async function sent(bytes: Buffer): Promise<string> {
  const id = await begun(bytes.length);
  expect((await send(at(first), id, 0, bytes)).status).toBe(204);
  return id;
}

/** Finishes an upload at this node. Expects that it is stored once, and that both nodes have all of its bytes. */
async function expectKept(id: string, bytes: Buffer, node = first): Promise<void> {
  expect((await finish(at(node), id)).body.state).toBe('done');
  const like = `%${id}%`;
  const rows = await database.db.selectFrom('biglietti').select('url').where('url', 'like', like).execute();
  expect(rows).toHaveLength(1);
  for (const { url } of [first, second]) {
    const answer = await fetch(`${url}${rows[0]?.url}`, { headers: { cookie } });
    expect([answer.status, sha256(Buffer.from(await answer.arrayBuffer()))]).toEqual([200, sha256(bytes)]);
  }
}

/** Makes the first node's check run until it is stopped. Resolves with its signal once it has started. */
function blockCheck(): Promise<AbortSignal> {
  const worker = first.deps.mediaWorker;
  const { run } = worker;
  return new Promise((begin) =>
    vi.spyOn(worker, 'run').mockImplementation((order, course) => {
      // The pages of other tickets may still be drawn.
      if (order.task === 'pages') return run(order, course);
      const { signal } = course;
      begin(signal);
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    }),
  );
}

/** Counts the tasks of both nodes' media workers. The first task waits until both nodes are finishing an upload. */
function countTasks(): { orders(): number } {
  let orders = 0;
  const areBothBusy = () =>
    [first, second].every(({ deps }) => deps.uploads.jobs.isBusy()) ? true : expect.unreachable();
  for (const { deps } of [first, second]) {
    const work = deps.mediaWorker.run;
    vi.spyOn(deps.mediaWorker, 'run').mockImplementation(async (order, course) => {
      if (order.task === 'pages') return work(order, course);
      orders += 1;
      if (orders === 1) await vi.waitFor(areBothBusy, { timeout: 10_000 });
      return work(order, course);
    });
  }
  return { orders: () => orders };
}

describe.each([
  ['a folder', false],
  ['a bucket', true],
])('two nodes with %s', (_what, hasBucket) => {
  useNodes(hasBucket);

  test('store a file completely that is sent to both in turn', async () => {
    const tickets = await ticketsOf(10 * MB);
    const id = await begun(tickets.length);
    const cuts = [0, 9 * MB, 9 * MB + 1, tickets.length - 100_000, tickets.length];
    for (const [n, from] of cuts.slice(0, -1).entries()) {
      const node = n % 2 === 0 ? first : second;
      expect(await offsetOf(at(node), id)).toBe(from);
      expect((await send(at(node), id, from, tickets.subarray(from, cuts[n + 1]))).status).toBe(204);
    }
    await expectKept(id, tickets);
    await expect.poll(listUploads).toEqual([]);
  });

  test('continue an upload at one node that hangs at the other, after all received bytes', async () => {
    const tickets = await ticketsOf(MB);
    const id = await begun(tickets.length);
    const half = new Uint8Array(tickets.subarray(0, tickets.length / 2));
    const begins = hasBucket ? vi.spyOn(first.deps.uploads.folder.store, 'write') : null;
    const hung = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(half) });
    const hanging = send(at(first), id, 0, hung).catch(() => null);
    if (begins === null) await expect.poll(() => arrived(first, id)).toBe(half.length);
    else await vi.waitFor(() => expect(begins).toHaveBeenCalled(), { timeout: 10_000 });
    const offset = (await offsetOf(at(second), id)) ?? -1;
    expect(offset).toBe(hasBucket ? await arrived(second, id) : half.length);
    expect((await send(at(second), id, offset, tickets.subarray(offset))).status).toBe(204);
    // The received bytes were stored.
    expect((await hanging)?.headers.get('upload-offset') ?? String(offset)).toBe(String(offset));
    await expectKept(id, tickets);
  });

  test('refuse with the same error, both remember it, and either one can forget it', async () => {
    const id = await sent(Buffer.alloc(1_000, 7));
    const ends = await Promise.all([second, first].map((node) => finish(at(node), id)));
    expect(ends.map(code)).toEqual(['FILE_NOT_TICKETS', 'FILE_NOT_TICKETS']);
    // A refusal is stored before its bytes are deleted.
    await expect.poll(listUploads).toEqual([`${id}.refused`]);
    const { body } = await call(second.url, 'GET', '/admin/uploads', undefined, { cookie });
    expect(body).toMatchObject([{ upload: id, state: 'refused', nome: 'a.pdf', size: 1_000 }]);
    const dismissed = await call(second.url, 'POST', `/admin/uploads/${id}/dismiss`, {}, { cookie });
    expect(dismissed.status).toBe(200);
    await expect.poll(listUploads).toEqual([]);
  });

  test('stop a check at one node when the upload is deleted at the other, and leave nothing of it', async () => {
    const check = blockCheck();
    const id = await sent(await ticketsOf(10_000));
    const signal = await check;
    expect((await cancel(at(second), id)).status).toBe(204);
    expect(signal.aborted).toBe(true);
    expect(first.deps.uploads.jobs.find(id)).toBeUndefined();
    for (const node of [first, second]) expect(code(await finish(at(node), id))).toBe('NOT_FOUND');
    await expect.poll(listUploads).toEqual([]);
    expect(await database.db.selectFrom('upload_leases').selectAll().execute()).toEqual([]);
  });
});

describe('simultaneous requests to two nodes with a folder', () => {
  useNodes(false);

  test('store an upload once that is finished at both', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { orders } = countTasks();
      const tickets = await ticketsOf(10_000 + round);
      const id = await sent(tickets);
      const ends = await Promise.all([first, second, first, second].map((node) => finish(at(node), id)));
      expect(ends.map(({ status, body }) => [status, body.state])).toEqual(ends.map(() => [200, 'done']));
      expect(new Set(ends.map(({ body }) => body.item.id)).size).toBe(1);
      expect(orders()).toBe(1);
      vi.restoreAllMocks();
      await expectKept(id, tickets);
    }
    await expect.poll(listUploads).toEqual([]);
  });

  test('accept a chunk once that is sent to both', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const tickets = await ticketsOf(3 * MB + round);
      const id = await begun(tickets.length);
      const both = await Promise.all([first, second].map((node) => send(at(node), id, 0, tickets)));
      const whole = both.filter(({ headers }) => headers.get('upload-offset') === String(tickets.length));
      expect(whole.length).toBeLessThanOrEqual(1);
      // Or the complete file is in its slot by then, and no longer an upload.
      const refusals = ['UPLOAD_CONFLICT', 'UPLOAD_LOCKED', 'NOT_FOUND'];
      for (const answer of both) expect([204, ...refusals]).toContain(code(answer));
      const offset = await offsetOf(at(second), id);
      if (offset !== null && offset < tickets.length)
        await send(at(second), id, offset, tickets.subarray(offset));
      await expectKept(id, tickets);
    }
  });
});

describe('upload in a bucket', () => {
  useNodes(true);
  const inBucket = () => bucket ?? expect.unreachable();

  test('survives an outage of the bucket: is refused with 503, and resumes at its offset', async () => {
    // More bytes than a socket buffers.
    const tickets = await ticketsOf(3 * MB);
    const id = await begun(tickets.length);
    expect((await send(at(first), id, 0, tickets.subarray(0, 5_000))).status).toBe(204);
    const arriving = second.deps.storage.arriving ?? expect.unreachable();
    for (const what of ['list', 'get', 'put'] as const) {
      vi.spyOn(arriving, what).mockRejectedValue(new StorageUnavailable('away'));
      const refused = await send(at(second), id, 5_000, tickets.subarray(5_000));
      expect([refused.status, code(refused)]).toEqual([503, 'UNAVAILABLE']);
      vi.restoreAllMocks();
    }
    expect(await offsetOf(at(second), id)).toBe(5_000);
    expect((await send(at(second), id, 5_000, tickets.subarray(5_000))).status).toBe(204);
    await expectKept(id, tickets, second);
  });

  test('is deleted a day after its last chunk, stray objects after minutes, and without leaving parts', async () => {
    const client = s3Client(inBucket());
    const Bucket = inBucket().S3_BUCKET;
    const id = await begun(30 * MB, 'video');
    expect((await send(at(first), id, 0, Buffer.alloc(9 * MB))).status).toBe(204);
    const stray = 'f'.repeat(32);
    for (const key of [`${stray}/0-3`, 'notes.txt'])
      await client.send(new PutObjectCommand({ Bucket, Key: `uploads/${key}`, Body: 'old' }));
    const sweepIn = (ms: number) =>
      sweepUploads({ ...second.deps, now: () => new Date(second.deps.now().getTime() + ms) });
    const pieces = [`${id}.json`, `${id}/0-${8 * MB}`, `${id}/${8 * MB}-${9 * MB}`];
    await sweepIn(0);
    await expect.poll(sorted).toEqual([...pieces, `${stray}/0-3`, 'notes.txt'].toSorted());
    await sweepIn(HOUR_MS);
    await expect.poll(sorted).toEqual(pieces.toSorted());
    await sweepIn(25 * HOUR_MS);
    await expect.poll(listUploads).toEqual([]);
    const parts = await client.send(new ListMultipartUploadsCommand({ Bucket }));
    expect(parts.Uploads ?? []).toEqual([]);
    expect(await offsetOf(at(first), id)).toBeNull();
  });
});
