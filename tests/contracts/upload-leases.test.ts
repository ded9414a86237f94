import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  AskedToLeave,
  evict,
  type Lease,
  LeaseLost,
  type Leases,
  NO_LEASES,
  sharedLeases,
  UploadLocked,
  whileHeld,
} from '../../src/server/features/uploads/leases.ts';
import type { Course } from '../../src/server/media-worker/worker.ts';
import { sqliteDatabase, type TestDatabase } from '../support/databases.ts';
import { createClock, type TestClock } from '../support/deps.ts';

/** tests/long/nodes-uploads.test.ts shows the same by two nodes on PostgreSQL. */

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

describe('a lease in the database', () => {
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
    leases = sharedLeases({
      db: database.db,
      inTransaction,
      now: clock.now,
      log: pino({ level: 'silent' }),
    });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(async () => {
    await Promise.all(taken.splice(0).map((lease) => lease.release()));
    vi.useRealTimers();
    await database.drop();
  });

  async function take(key = 'work:a', insists = false): Promise<Lease> {
    const lease = await leases.take(key, insists);
    if (lease === null) return expect.unreachable();
    taken.push(lease);
    return lease;
  }
  /** Lets so many seconds pass, and whatever was asked of the database be done. */
  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(SECOND);
      await vi.advanceTimersByTimeAsync(SECOND);
      await database.inTransaction(async () => undefined);
      await new Promise(setImmediate);
    }
  }
  const holders = () => database.db.selectFrom('upload_leases').select(['key', 'until']).execute();

  test('is one node’s until it gives it back', async () => {
    const lease = await take();
    expect(await leases.take('work:a')).toBeNull();
    await take('work:b');
    await pass(30);
    expect(await leases.take('work:a')).toBeNull();
    await lease.release();
    expect((await holders()).map(({ key }) => key)).toEqual(['work:b']);
    await take();
  });

  test('that was given back says nothing any more', async () => {
    const lease = await take('work:a', true);
    await lease.release();
    await pass(10);
    expect(lease.signal.aborted).toBe(false);
  });

  test('that is renewed no more is free after ten seconds', async () => {
    await take();
    clock.advance(10 * SECOND - 1);
    expect(await leases.take('work:a')).toBeNull();
    clock.advance(1);
    const other = await take();
    expect(other.signal.aborted).toBe(false);
  });

  test('tells the others how far it is', async () => {
    const lease = await take();
    expect(await leases.held()).toEqual([{ key: 'work:a', progress: null }]);
    lease.tell(0.4);
    await pass(1);
    expect(await leases.held()).toEqual([{ key: 'work:a', progress: 0.4 }]);
  });

  test('is wanted: whoever has it hears that within a second, and who asks hears whether anybody has it', async () => {
    expect(await leases.ask('work:a')).toBe(false);
    const lease = await take();
    expect(await leases.ask('work:a')).toBe(true);
    expect(lease.signal.aborted).toBe(false);
    await pass(1);
    expect(lease.signal.reason).toBeInstanceOf(AskedToLeave);
  });

  test('that another node has taken is lost, and giving it back takes nothing from that', async () => {
    const [lease, insisting] = [await take('work:a'), await take('work:b')];
    clock.advance(11 * SECOND);
    for (const key of ['work:a', 'work:b']) await take(key);
    await expect(insisting.insist()).rejects.toBeInstanceOf(LeaseLost);
    expect(lease.signal.aborted).toBe(false);
    await pass(1);
    expect(lease.signal.reason).toBeInstanceOf(LeaseLost);
    await lease.release();
    expect(await leases.take('work:a')).toBeNull();
  });

  test('that can’t be renewed goes on, unless it must not be anybody else’s: then it ends two seconds before', async () => {
    const [patient, insisting] = [await take('work:a'), await take('work:b', true)];
    const later = await take('work:c');
    await later.insist();
    reachable = false;
    await pass(7);
    expect([patient, insisting, later].map(({ signal }) => signal.aborted)).toEqual([false, false, false]);
    await pass(1);
    expect([patient, insisting, later].map(({ signal }) => signal.aborted)).toEqual([false, true, true]);
    expect(insisting.signal.reason).toBeInstanceOf(LeaseLost);
    reachable = true;
  });

  test('that can be renewed again in time goes on', async () => {
    const lease = await take('work:a', true);
    for (let times = 0; times < 3; times += 1) {
      reachable = false;
      await pass(6);
      reachable = true;
      await pass(1);
    }
    expect(lease.signal.aborted).toBe(false);
  });

  test('of a dead node is forgotten an hour after its end', async () => {
    const until = (ms: number) => new Date(clock.now().getTime() + ms).toISOString();
    const row = { holder: 'dead', asked: false, progress: null };
    await database.db
      .insertInto('upload_leases')
      .values([
        { key: 'old', until: until(-HOUR - 1), ...row },
        { key: 'young', until: until(-HOUR), ...row },
      ])
      .execute();
    await leases.sweep();
    expect((await holders()).map(({ key }) => key)).toEqual(['young']);
    expect(await leases.held()).toEqual([]);
  });
});

describe('work of which one node at most is at', () => {
  afterEach(() => void vi.useRealTimers());

  /** Whose the lease is: of another node for a while, then ours. */
  function leasesOf({ others = 0, progress = null as number | null } = {}) {
    let left = others;
    const released = vi.fn<() => void>();
    const told = vi.fn<(share: number) => void>();
    const losing: AbortController[] = [];
    const leases: Leases = {
      ...NO_LEASES,
      async take() {
        left -= 1;
        if (left >= 0) return null;
        const losable = new AbortController();
        losing.push(losable);
        return {
          signal: losable.signal,
          tell: told,
          insist: async () => undefined,
          release: async () => released(),
        };
      },
      held: async () => [
        { key: 'other', progress: 0.9 },
        { key: 'a', progress },
      ],
    };
    return { leases, released, told, losing };
  }
  function courseOf() {
    const [stopping, shares] = [new AbortController(), [] as number[]];
    const course: Course = { signal: stopping.signal, progress: (share) => void shares.push(share) };
    return { course, shares, stopping };
  }

  test('begins when the other node has ended, whose progress is told meanwhile', async () => {
    const { leases, released, told } = leasesOf({ others: 2, progress: 0.3 });
    const { course, shares } = courseOf();
    const work = vi.fn(async (its: Course) => {
      expect(shares).toEqual([0.3, 0.3]);
      expect(released).not.toHaveBeenCalled();
      its.progress(0.5);
      return 'done';
    });
    expect(await whileHeld(leases, 'a', course, work)).toBe('done');
    expect([shares, told.mock.calls]).toEqual([[0.3, 0.3, 0.5], [[0.5]]]);
    expect(released).toHaveBeenCalledOnce();
  });

  test('tells nothing of one that hasn’t begun', async () => {
    const { leases } = leasesOf({ others: 1 });
    const { course, shares } = courseOf();
    expect(await whileHeld(leases, 'a', course, async () => 'done')).toBe('done');
    expect(shares).toEqual([]);
  });

  test('that another node has taken over begins anew; that one is asked to leave ends', async () => {
    const { leases, losing, released } = leasesOf();
    const work = vi.fn(
      ({ signal }: Course) =>
        new Promise<string>((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        ),
    );
    const doing = whileHeld(leases, 'a', courseOf().course, work);
    const ended = expect(doing).rejects.toBeInstanceOf(AskedToLeave);
    await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(1));
    losing[0]?.abort(new LeaseLost());
    await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(2));
    expect([work.mock.calls.length, released.mock.calls.length]).toEqual([2, 1]);
    losing[1]?.abort(new AskedToLeave());
    await ended;
    expect([work.mock.calls.length, released.mock.calls.length]).toEqual([2, 2]);
  });

  test('that fails by itself fails as it did, and nobody keeps the lease', async () => {
    const { leases, released } = leasesOf();
    const failing = whileHeld(leases, 'a', courseOf().course, () => Promise.reject(new Error('broken')));
    await expect(failing).rejects.toThrow('broken');
    expect(released).toHaveBeenCalledOnce();
  });

  test('that is stopped while another node is at it isn’t begun', async () => {
    const { leases } = leasesOf({ others: 1_000 });
    const { course, stopping } = courseOf();
    const doing = whileHeld(leases, 'a', course, () => expect.unreachable());
    stopping.abort(new Error('enough'));
    await expect(doing).rejects.toThrow('enough');
  });

  test('is left by who is at it when it is asked, again and again for fifteen seconds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return asked <= 2;
    };
    await evict({ ...NO_LEASES, ask }, 'a');
    expect(asked).toBe(3);
    const stays = vi.fn(async () => true);
    const refused = vi.fn();
    const leaving = evict({ ...NO_LEASES, ask: stays }, 'a').catch(refused);
    await vi.waitFor(() => expect(stays).toHaveBeenCalled());
    vi.advanceTimersByTime(14 * SECOND);
    const before = stays.mock.calls.length;
    await vi.waitFor(() => expect(stays.mock.calls.length).toBeGreaterThan(before));
    expect(refused).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2 * SECOND);
    await leaving;
    expect(refused).toHaveBeenCalledExactlyOnceWith(expect.any(UploadLocked));
  });
});
