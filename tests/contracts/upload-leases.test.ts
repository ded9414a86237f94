import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createLocker,
  evict,
  type Lease,
  LeaseLost,
  LeaseRequested,
  type Leases,
  NO_LEASES,
  runWithLease,
  sharedLeases,
  UploadLocked,
} from '../../src/server/features/uploads/leases.ts';
import type { TaskControl } from '../../src/server/media-worker/worker.ts';
import { sqliteDatabase, type TestDatabase } from '../support/databases.ts';
import { createClock, type TestClock } from '../support/deps.ts';

/**
 * tests/contracts/repositories-content.test.ts covers the rows of a lease, tests/long/nodes-uploads.test.ts two nodes on
 * PostgreSQL.
 */

const SECOND = 1_000;

afterEach(() => void vi.useRealTimers());

describe('lease in the database', () => {
  let database: TestDatabase;
  let clock: TestClock;
  let leases: Leases;
  let reachable: boolean;
  const taken: Lease[] = [];
  beforeEach(async () => {
    database = await sqliteDatabase();
    clock = createClock();
    reachable = true;
    const inTransaction: TestDatabase['inTransaction'] = (work) =>
      reachable ? database.inTransaction(work) : Promise.reject(new Error('no database'));
    const log = pino({ level: 'silent' });
    leases = sharedLeases({ db: database.db, inTransaction, now: clock.now, log });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(async () => {
    reachable = true;
    await Promise.all(taken.splice(0).map((lease) => lease.release()));
    vi.useRealTimers();
    await database.drop();
  });

  async function take(key = 'work:a', insists = false): Promise<Lease> {
    const lease = await leases.acquire(key, insists);
    if (lease === null) return expect.unreachable();
    taken.push(lease);
    return lease;
  }
  /** Advances the time by seconds and waits for pending queries. */
  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(SECOND);
      await vi.advanceTimersByTimeAsync(SECOND);
      await database.inTransaction(async () => undefined);
      await new Promise(setImmediate);
    }
  }
  const aborted = (...held: Lease[]) => held.map(({ signal }) => signal.aborted);

  it('is renewed with its progress until it is released', async () => {
    const lease = await take();
    lease.reportProgress(0.4);
    await pass(30);
    expect(await leases.held()).toEqual([{ key: 'work:a', progress: 0.4 }]);
    await lease.release();
    await take();
    await pass(10);
    expect(aborted(lease)).toEqual([false]);
  });

  it('notifies its holder within a second if it is requested or lost', async () => {
    const [requested, lost] = [await take(), await take('work:b')];
    await database.db
      .updateTable('upload_leases')
      .set({ holder: 'other' })
      .where('key', '=', 'work:b')
      .execute();
    await leases.requestRelease('work:a');
    expect(aborted(requested, lost)).toEqual([false, false]);
    await pass(1);
    expect(requested.signal.reason).toBeInstanceOf(LeaseRequested);
    expect(lost.signal.reason).toBeInstanceOf(LeaseLost);
  });

  it('survives failed renewals, unless it is exclusive: then it ends two seconds before its expiry', async () => {
    const [shared, exclusive] = [await take('work:a'), await take('work:b', true)];
    const later = await take('work:c');
    await later.requireRenewal();
    reachable = false;
    await pass(6);
    reachable = true;
    await pass(1);
    reachable = false;
    await pass(7);
    expect(aborted(shared, exclusive, later)).toEqual([false, false, false]);
    await pass(1);
    expect(aborted(shared, exclusive, later)).toEqual([false, true, true]);
    expect(exclusive.signal.reason).toBeInstanceOf(LeaseLost);
  });
});

describe('runWithLease', () => {
  /** Returns leases that another node holds for the first `others` attempts. */
  function leasesOf(others = 0) {
    let left = others;
    const released = vi.fn<() => void>();
    const told = vi.fn<(share: number) => void>();
    const losing: AbortController[] = [];
    const leases: Leases = {
      ...NO_LEASES,
      async acquire() {
        left -= 1;
        if (left >= 0) return null;
        const losable = new AbortController();
        losing.push(losable);
        const release = async () => released();
        return {
          signal: losable.signal,
          reportProgress: told,
          requireRenewal: async () => undefined,
          release,
        };
      },
      held: async () => [
        { key: 'other', progress: 0.9 },
        { key: 'a', progress: 0.3 },
      ],
    };
    return { leases, released, told, losing };
  }
  function controlOf() {
    const [stopping, shares] = [new AbortController(), [] as number[]];
    const course: TaskControl = { signal: stopping.signal, progress: (share) => void shares.push(share) };
    return { course, shares, stopping };
  }

  it('starts when the other node has ended, and reports that node’s progress until then', async () => {
    const { leases, released, told } = leasesOf(2);
    const { course, shares } = controlOf();
    const work = async (its: TaskControl) => {
      expect(shares).toEqual([0.3, 0.3]);
      expect(released).not.toHaveBeenCalled();
      its.progress(0.5);
      return 'done';
    };
    expect(await runWithLease(leases, 'a', course, work)).toBe('done');
    expect([shares, told.mock.calls]).toEqual([[0.3, 0.3, 0.5], [[0.5]]]);
    expect(released).toHaveBeenCalledOnce();
  });

  it('starts again if another node has acquired the lease, and ends if asked to release it', async () => {
    const { leases, losing, released } = leasesOf();
    const work = vi.fn(
      ({ signal }: TaskControl) =>
        new Promise<string>((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        ),
    );
    const doing = runWithLease(leases, 'a', controlOf().course, work);
    const ended = expect(doing).rejects.toBeInstanceOf(LeaseRequested);
    await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(1));
    losing[0]?.abort(new LeaseLost());
    await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(2));
    expect(released).toHaveBeenCalledTimes(1);
    losing[1]?.abort(new LeaseRequested());
    await ended;
    expect([work.mock.calls.length, released.mock.calls.length]).toEqual([2, 2]);
  });

  it('rejects with the error of its work, and does not start it once aborted', async () => {
    const { leases, released } = leasesOf();
    const failing = runWithLease(leases, 'a', controlOf().course, () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    expect(released).toHaveBeenCalledOnce();
    const { course, stopping } = controlOf();
    const doing = runWithLease(leasesOf(1_000).leases, 'a', course, () => expect.unreachable());
    stopping.abort(new Error('enough'));
    await expect(doing).rejects.toThrow('enough');
  });
});

describe('lock of an upload', () => {
  const nothing = () => undefined;

  it('asks the holder once to release it, and grants turns; another upload needs no wait', async () => {
    vi.useFakeTimers();
    const turns = createLocker(NO_LEASES);
    const { signal } = new AbortController();
    const [onRelease, came] = [vi.fn<() => void>(), vi.fn<() => void>()];
    const first = turns.newLock('a');
    await first.lock(signal, onRelease);
    await turns.newLock('b').lock(signal, nothing);
    expect(onRelease).not.toHaveBeenCalled();
    const second = turns.newLock('a').lock(signal, nothing).then(came);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([onRelease.mock.calls.length, came.mock.calls.length]).toEqual([1, 0]);
    await first.unlock();
    await second;
    expect([onRelease.mock.calls.length, came.mock.calls.length]).toEqual([1, 1]);
  });

  it('waits fifteen seconds for another node, like a request to stop its work', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const requestRelease = vi.fn(async () => true);
    const held = { ...NO_LEASES, acquire: async () => null, requestRelease };
    const { signal } = new AbortController();
    const refused = vi.fn();
    const waiting = [evict(held, 'a'), createLocker(held).newLock('a').lock(signal, nothing)];
    const ends = waiting.map((each) => each.catch(refused));
    await vi.waitFor(() => expect(requestRelease.mock.calls.length).toBeGreaterThan(1));
    vi.advanceTimersByTime(14 * SECOND);
    const { length } = requestRelease.mock.calls;
    await vi.waitFor(() => expect(requestRelease.mock.calls.length).toBeGreaterThan(length + 1));
    expect(refused).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2 * SECOND);
    await Promise.all(ends);
    expect(refused.mock.calls).toEqual([[expect.any(UploadLocked)], [expect.any(UploadLocked)]]);
    expect(new UploadLocked()).toMatchObject({ status_code: 423, body: 'UPLOAD_LOCKED' });
  });

  it('waits ten seconds for a holder that doesn’t release it, or until the request is aborted', async () => {
    vi.useFakeTimers();
    const turns = createLocker(NO_LEASES);
    const aborted = new AbortController();
    const lock = (signal: AbortSignal) => turns.newLock('a').lock(signal, nothing);
    await lock(aborted.signal);
    let over = false;
    const late = lock(new AbortController().signal).finally(() => (over = true));
    const refused = expect(late).rejects.toBeInstanceOf(UploadLocked);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(over).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await refused;
    const leaving = expect(lock(aborted.signal)).rejects.toBeInstanceOf(UploadLocked);
    await vi.advanceTimersByTimeAsync(0);
    aborted.abort();
    await leaving;
  });
});
