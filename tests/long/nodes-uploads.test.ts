import { createHash } from 'node:crypto';
import { readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { beginArrived } from '../../src/server/features/uploads/arrivals.ts';
import { UploadLocked } from '../../src/server/features/uploads/leases.ts';
import { sweepUploads } from '../../src/server/features/uploads/uploads.sweeper.ts';
import type { Course, Work } from '../../src/server/media-worker/worker.ts';
import { postgresDatabase, type TestDatabase } from '../support/databases.ts';
import { type Answered, call } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { announce, arrived, cancel, finish, idOf, offsetOf, send, ticketsOf } from '../support/uploads.ts';

/** Two nodes on one PostgreSQL and one folder. How a race goes is another each time. */
const ROUNDS = 20;
const rounds = Array.from({ length: ROUNDS }, (_, n) => n);
const MB = 1024 * 1024;

let database: TestDatabase;
let first: TestServer;
let second: TestServer;
let cookie: string;
beforeAll(async () => {
  database = await postgresDatabase();
  const { DATA_DIR: dataDir, DATABASE_URL = '' } = database.env;
  const start = () => startServer({ dataDir, env: { DATABASE_URL } });
  [first, second] = [await start(), await start()];
  cookie = await signUp(first);
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await Promise.all([first, second].map((node) => node.stop()));
  await database.drop();
});

const at = ({ url }: TestServer) => ({ url, cookie });
const code = ({ status, body }: Answered) => (status < 400 ? status : body.codice);
const folder = () => readdir(join(database.env.DATA_DIR, 'uploads'));
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function begun(size: number, slot = 'biglietti'): Promise<string> {
  return idOf(await announce(at(first), size, { slot, filename: 'a.pdf' }));
}

/** Every byte of some tickets, at the first node. */
async function sent(bytes: Buffer): Promise<string> {
  const id = await begun(bytes.length);
  expect((await send(at(first), id, 0, bytes)).status).toBe(204);
  return id;
}

/** What lies under the id of an upload: the file is the one of its row. */
async function kept(id: string): Promise<string> {
  const row = await database.db
    .selectFrom('media')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const bytes = await readFile(join(database.env.DATA_DIR, 'media', `${id}.${row.extension}`));
  expect([bytes.length, sha256(bytes)]).toEqual([row.size, row.sha256]);
  const items = await database.db
    .selectFrom('biglietti')
    .select('url')
    .where('url', 'like', `%${id}%`)
    .execute();
  expect(items).toHaveLength(1);
  return row.sha256;
}

/** From here on the first node's check goes on until it is stopped. Resolves with its course once there is one. */
function checking(): Promise<Course> {
  return new Promise((begin) => {
    const { do: work } = first.deps.mediaWorker;
    vi.spyOn(first.deps.mediaWorker, 'do').mockImplementation((order, course) => {
      if (isDrawing(order)) return work(order, course);
      course.progress(0.5);
      begin(course);
      return new Promise((_resolve, reject) => {
        const stop = () => reject(course.signal.reason as Error);
        if (course.signal.aborted) stop();
        course.signal.addEventListener('abort', stop);
      });
    });
  });
}

/** The pages of tickets that were kept before are drawn meanwhile. */
const isDrawing = (order: Work) => order.what === 'pages';

/** What a node has that isn't there any more; for a second still. */
async function leaveDead(key: string): Promise<void> {
  const until = new Date(first.deps.now().getTime() + 1_000).toISOString();
  const row = { key, holder: 'dead', until, asked: false, progress: null };
  await database.db.insertInto('upload_leases').values(row).execute();
}

/** Counts what the media workers of both nodes are asked for; the first order waits until both nodes have been asked for the end of an upload. */
function meeting(): { orders(): number } {
  let orders = 0;
  const bothAsked = () =>
    [first, second].every(({ deps }) => deps.uploads.jobs.isBusy()) ? true : expect.unreachable();
  for (const { deps } of [first, second]) {
    const work = deps.mediaWorker.do;
    vi.spyOn(deps.mediaWorker, 'do').mockImplementation(async (order, course) => {
      if (isDrawing(order)) return work(order, course);
      orders += 1;
      if (orders === 1) await vi.waitFor(bothAsked, { timeout: 10_000 });
      return work(order, course);
    });
  }
  return { orders: () => orders };
}

describe('an upload', () => {
  test('finished on both nodes at once is kept once, and both say so', async () => {
    for (const n of rounds) {
      const { orders } = meeting();
      const tickets = await ticketsOf(10_000 + n);
      const id = await sent(tickets);
      const ends = await Promise.all([first, second, first, second].map((node) => finish(at(node), id)));
      expect(ends.map(({ status, body }) => [status, body.state])).toEqual(ends.map(() => [200, 'done']));
      expect(new Set(ends.map(({ body }) => body.item.id)).size).toBe(1);
      expect(await kept(id)).toBe(sha256(tickets));
      expect(orders()).toBe(1);
      vi.restoreAllMocks();
    }
    await expect.poll(folder).toEqual([]);
  });

  test('whose bytes are no tickets is refused by both nodes in the same words', async () => {
    for (const n of rounds) {
      const { orders } = meeting();
      const id = await sent(Buffer.alloc(1_000 + n, 7));
      const ends = await Promise.all([second, first].map((node) => finish(at(node), id)));
      expect(ends.map(code)).toEqual(['FILE_NOT_TICKETS', 'FILE_NOT_TICKETS']);
      // The memory of a refusal comes before its bytes go.
      await expect.poll(folder).toEqual([`${id}.refused`]);
      expect(orders()).toBe(2);
      vi.restoreAllMocks();
      expect((await call(second.url, 'POST', `/admin/uploads/${id}/dismiss`, {}, { cookie })).status).toBe(
        200,
      );
      expect(await folder()).toEqual([]);
    }
  });

  test('deleted on one node while the other checks it: the check stops, and nothing of it is left', async () => {
    for (const _ of rounds) {
      const check = checking();
      const id = await sent(await ticketsOf(10_000));
      const course = await check;
      expect((await cancel(at(second), id)).status).toBe(204);
      expect(course.signal.aborted).toBe(true);
      expect(first.deps.uploads.jobs.find(id)).toBeUndefined();
      for (const node of [first, second]) expect(code(await finish(at(node), id))).toBe('NOT_FOUND');
      expect(await folder()).toEqual([]);
      vi.restoreAllMocks();
    }
    expect(await database.db.selectFrom('upload_leases').selectAll().execute()).toEqual([]);
  });

  test('the same part sent to both nodes at once is taken once', async () => {
    for (const n of rounds) {
      const tickets = await ticketsOf(3 * MB + n);
      const id = await begun(tickets.length);
      const both = await Promise.all([first, second].map((node) => send(at(node), id, 0, tickets)));
      const whole = both.filter(({ headers }) => headers.get('upload-offset') === String(tickets.length));
      expect(whole.length).toBeLessThanOrEqual(1);
      // Or the whole of it is in its slot by then, and no upload any more.
      const refusals = ['UPLOAD_CONFLICT', 'UPLOAD_LOCKED', 'NOT_FOUND'];
      for (const answer of both) expect([204, ...refusals]).toContain(code(answer));
      const offset = await offsetOf(at(second), id);
      if (offset !== null && offset < tickets.length)
        await send(at(second), id, offset, tickets.subarray(offset));
      expect((await finish(at(first), id)).body.state).toBe('done');
      expect(await kept(id)).toBe(sha256(tickets));
    }
  });

  test('whose bytes still hang at one node goes on at the other', async () => {
    const tickets = await ticketsOf(MB);
    const id = await begun(tickets.length);
    const half = Math.floor(tickets.length / 2);
    const hung = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(tickets.subarray(0, half))),
    });
    const hanging = send(at(first), id, 0, hung).catch(() => null);
    await expect.poll(() => arrived(first, id)).toBe(half);
    expect(await offsetOf(at(second), id)).toBe(half);
    expect((await send(at(second), id, half, tickets.subarray(half))).status).toBe(204);
    // What came of it was taken.
    expect((await hanging)?.headers.get('upload-offset') ?? String(half)).toBe(String(half));
    expect((await finish(at(first), id)).body.state).toBe('done');
    expect(await kept(id)).toBe(sha256(tickets));
  });

  test('that a dead node has is free again once its lease has run out', async () => {
    const id = await begun(100);
    await leaveDead(`lock:${id}`);
    expect((await send(at(second), id, 0, Buffer.alloc(50))).status).toBe(204);
    await leaveDead(`work:${id}`);
    expect((await cancel(at(first), id)).status).toBe(204);
    expect(await folder()).toEqual([]);
  });

  test('that is somebody’s who doesn’t leave is refused as locked, with 423', async () => {
    const id = await begun(100);
    vi.spyOn(second.deps.uploads.leases, 'take').mockRejectedValue(new UploadLocked());
    const refused = await send(at(second), id, 0, Buffer.alloc(10));
    expect([refused.status, code(refused)]).toEqual([423, 'UPLOAD_LOCKED']);
    vi.restoreAllMocks();
    expect((await send(at(second), id, 0, Buffer.alloc(10))).status).toBe(204);
    expect((await cancel(at(first), id)).status).toBe(204);
  });
});

describe('a check on one node', () => {
  test('is known to the other: how far it is, and that nothing of it may be swept or begun again', async () => {
    const check = checking();
    const id = await sent(await ticketsOf(10_000));
    await check;
    const listed = () => call(second.url, 'GET', '/admin/uploads', undefined, { cookie });
    await expect
      .poll(async () => (await listed()).body)
      .toMatchObject([{ upload: id, state: 'working', waiting: false, progress: 0.45 }]);
    expect(code(await finishOnce(second, id))).toBe(200);
    const lying = await folder();
    const old = new Date(Date.now() - 48 * 3_600_000);
    for (const name of lying) await utimes(join(database.env.DATA_DIR, 'uploads', name), old, old);
    await second.deps.uploads.jobs.stop(id);
    await sweepUploads(second.deps);
    expect(await folder()).toEqual(lying);
    await beginArrived(second.deps);
    expect(second.deps.uploads.jobs.find(id)).toBeUndefined();
    expect((await cancel(at(first), id)).status).toBe(204);
    expect(await folder()).toEqual([]);
  });

  test('that ends without an end, as its node stops, is taken up by the other', async () => {
    const { DATA_DIR: dataDir, DATABASE_URL = '' } = database.env;
    const check = checking();
    const tickets = await ticketsOf(10_000);
    const id = await sent(tickets);
    await check;
    await expect.poll(async () => (await finishOnce(second, id)).body.progress).toBe(0.45);
    await first.stop();
    expect((await finish(at(second), id)).body.state).toBe('done');
    expect(await kept(id)).toBe(sha256(tickets));
    first = await startServer({ dataDir, env: { DATABASE_URL } });
  });

  test('that has lost its lease keeps nothing, and tells what the other has made of it', async () => {
    const tickets = await ticketsOf(10_000);
    const course = Promise.withResolvers<Course>();
    const { do: work } = first.deps.mediaWorker;
    const asked = vi.spyOn(first.deps.mediaWorker, 'do').mockImplementation(async (order, its) => {
      if (isDrawing(order)) return work(order, its);
      asked.mockRestore();
      course.resolve(its);
      await new Promise((resolve) => its.signal.addEventListener('abort', resolve));
      its.signal.throwIfAborted();
      return work(order, its);
    });
    const id = await sent(tickets);
    const { signal } = await course.promise;
    // As if its node had been frozen for longer than the lease.
    await database.db.updateTable('upload_leases').set({ until: '2000-01-01T00:00:00.000Z' }).execute();
    const other = await second.deps.uploads.leases.take(`work:${id}`);
    if (other === null) return expect.unreachable();
    await expect.poll(() => signal.aborted).toBe(true);
    await other.release();
    const ends = await Promise.all([first, second].map((node) => finish(at(node), id)));
    expect(ends.map(({ body }) => body.state)).toEqual(['done', 'done']);
    expect(await kept(id)).toBe(sha256(tickets));
  });
});

/** Asks once, and doesn't wait for the end. */
function finishOnce({ url }: TestServer, id: string): Promise<Answered> {
  return call(url, 'POST', `/admin/uploads/${id}/finish`, {}, { cookie });
}
