import { afterEach, describe, expect, test, vi } from 'vitest';
import { visitState } from '../../src/domain/visit-state.ts';
import { heartbeat } from '../../src/server/features/visit/presence.service.ts';
import { isAnybodyInside } from '../../src/server/features/visit/sessions.repo.ts';
import { sweepSessions } from '../../src/server/features/visit/sessions.service.ts';
import {
  createRhythm,
  SWEEP_EVERY_MS,
  startSweeper,
} from '../../src/server/features/visit/sessions.sweeper.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer } from '../support/deps.ts';
import { checkLaws } from '../support/laws.ts';
import { inParallel } from '../support/parallel.ts';
import { useServer } from '../support/suites.ts';
import { comeIn, configure, holderOf, makeCode } from '../support/visits.ts';

describe('silent sessions', () => {
  const server = useServer(sqliteDatabase);

  test('of many, exactly the silent ones are closed, each with one event and its exit point', async () => {
    const { deps, clock } = server;
    const { token } = await makeCode(server, { max_accessi: 700 });
    // More than fit into one statement of the log.
    const many = 620;
    const inside = await inParallel(
      Array.from({ length: many }, () => () => comeIn(server, token)),
      // They wait for one another: it is one code.
      5,
    );
    clock.advance(60_000);
    for (const { secret } of inside.slice(0, 10)) await heartbeat(deps, await holderOf(server, secret));
    clock.advance(30_000);
    server.messages.length = 0;
    expect(await sweepSessions(deps)).toBe(many - 10);
    expect(server.messages).toEqual([{ type: 'changed', topics: ['sessions', 'logs'] }]);
    const left = await deps.db
      .selectFrom('active_sessions')
      .select('id')
      .where('is_active', '=', true)
      .execute();
    expect(new Set(left.map(({ id }) => id))).toEqual(
      new Set(inside.slice(0, 10).map(({ session_id }) => session_id)),
    );
    const ended = await deps.db
      .selectFrom('event_logs')
      .selectAll()
      .where('event_type', '=', 'session_ended')
      .execute();
    expect(ended).toHaveLength(many - 10);
    expect(JSON.parse(ended[0]?.metadata ?? '')).toMatchObject({
      reason: 'timeout',
      exit_point: 'during_pre_phrases',
    });
    expect(await sweepSessions(deps)).toBe(0);
  });

  test('somebody is inside until half an hour after they were heard, a day at most, and not once it is over', async () => {
    const { deps, clock } = server;
    const inside = () => isAnybodyInside(deps.db, clock.now());
    expect(await inside()).toBe(false);
    const { session_id } = await comeIn(server, (await makeCode(server)).token);
    clock.advance(30 * 60_000 - 1);
    await sweepSessions(deps);
    expect(await inside()).toBe(true);
    clock.advance(1);
    expect(await inside()).toBe(false);
    const change = (id: string, fields: { last_activity?: string; completed_at?: string | null }) =>
      deps.db.updateTable('active_sessions').set(fields).where('id', '=', id).execute();
    clock.advance(23.5 * 3_600_000 - 1);
    await change(session_id, { last_activity: clock.now().toISOString() });
    expect(await inside()).toBe(true);
    clock.advance(1);
    expect(await inside()).toBe(false);
    const other = await comeIn(server, (await makeCode(server)).token);
    expect(await inside()).toBe(true);
    await change(other.session_id, { completed_at: clock.now().toISOString() });
    expect(await inside()).toBe(false);
    await change(other.session_id, { completed_at: null });
  });

  test('sweeping and being heard at the same moment leave the log straight', async () => {
    const { deps, clock } = server;
    const { token } = await makeCode(server, { max_accessi: 100 });
    for (let round = 0; round < 10; round += 1) {
      const { secret } = await comeIn(server, token);
      const holder = await holderOf(server, secret);
      clock.advance(90_000);
      await Promise.all([
        sweepSessions(deps),
        heartbeat(deps, holder),
        sweepSessions(deps),
        heartbeat(deps, holder),
      ]);
      await heartbeat(deps, await holderOf(server, secret));
      expect((await holderOf(server, secret)).state).toBe('open');
      expect(await checkLaws(deps.db, clock.now())).toEqual([]);
    }
  });
});

describe('the rhythm of the sweeps', () => {
  const every = SWEEP_EVERY_MS;

  test('begins after 90 s', () => {
    const { isTime } = createRhythm({ wall: 1_000, steady: 0 });
    const rounds = Array.from({ length: 8 }, (_, n) =>
      isTime({ wall: 1_000 + (n + 1) * every, steady: (n + 1) * every }),
    );
    expect(rounds).toEqual([false, false, false, false, false, true, true, true]);
  });

  const after = (jump: number, rounds: number) => {
    const { isTime } = createRhythm({ wall: 0, steady: 0 });
    for (let n = 1; n <= 10; n += 1) isTime({ wall: n * every, steady: n * every });
    return Array.from({ length: rounds }, (_, n) =>
      isTime({ wall: jump + (n + 11) * every, steady: (n + 11) * every }),
    );
  };

  test.each([
    [3_600_000, [false, false, false, false, false, false, true]],
    [2 * every + 1, [false, false, false, false, false, false, true]],
    [2 * every, [true, true]],
    [0, [true, true]],
    [-3_600_000, [true, true]],
  ])('after the clock jumps by %i ms', (jump, rounds) => {
    expect(after(jump, rounds.length)).toEqual(rounds);
  });

  test('a busy machine whose rounds come late is no jump', () => {
    const { isTime } = createRhythm({ wall: 0, steady: 0 });
    expect(isTime({ wall: 600_000, steady: 600_000 })).toBe(true);
  });
});

describe('the sweeper', () => {
  afterEach(() => vi.useRealTimers());

  test('closes who has gone, 90 s after the start, and stops when told', async () => {
    const server = await openTestServer(sqliteDatabase);
    await configure(server);
    const { token } = await makeCode(server, { max_accessi: 2 });
    await comeIn(server, token);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const rounds = vi.fn(() => 0);
    const stop = startSweeper(server.deps, { held: rounds, settle: () => {} });
    const pass = (ms: number) => {
      server.clock.advance(ms);
      vi.advanceTimersByTime(ms);
    };
    const round = async () => {
      const done = rounds.mock.calls.length;
      pass(SWEEP_EVERY_MS);
      await vi.waitFor(() => expect(rounds.mock.calls.length).toBe(done + 1));
    };
    const open = async () => {
      const rows = await server.deps.db
        .selectFrom('active_sessions')
        .select('id')
        .where('is_active', '=', true)
        .execute();
      return rows.length;
    };
    for (let n = 0; n < 5; n += 1) await round();
    expect(await open()).toBe(1);
    await round();
    expect(await open()).toBe(0);
    await comeIn(server, token);
    await stop();
    for (let n = 0; n < 20; n += 1) pass(SWEEP_EVERY_MS);
    expect(await open()).toBe(1);
    await server.close();
  });

  test('while the database is away nobody is closed, nor for 90 s after it is back', async () => {
    const server = await openTestServer(sqliteDatabase);
    await configure(server);
    const { token } = await makeCode(server);
    await comeIn(server, token);
    let isAway = false;
    let asked = 0;
    const inTransaction: typeof server.deps.inTransaction = async (work) => {
      asked += 1;
      if (isAway) throw new Error('the database is away');
      return server.deps.inTransaction(work);
    };
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const settled = vi.fn();
    const log = { ...server.deps.log, error: settled };
    const stop = startSweeper({ ...server.deps, inTransaction, log } as typeof server.deps, {
      held: () => (settled(), 0),
      settle: () => {},
    });
    /** How many of so many rounds the visitor outlives. */
    const rounds = async (count: number) => {
      for (let round = 0; round < count; round += 1) {
        const before = [asked, settled.mock.calls.length] as const;
        server.clock.advance(SWEEP_EVERY_MS);
        vi.advanceTimersByTime(SWEEP_EVERY_MS);
        await vi.waitFor(() => expect(settled.mock.calls.length).toBe(before[1] + 1));
        expect(asked).toBe(before[0] + 1);
        const row = await server.deps.db.selectFrom('active_sessions').select('is_active').executeTakeFirst();
        if (row?.is_active !== true) return round;
      }
      return count;
    };
    expect(await rounds(2)).toBe(2);
    isAway = true;
    // Past the first 90 s, and past those that begin with each round that fails.
    expect(await rounds(20)).toBe(20);
    isAway = false;
    // The one that finds it back, and five more.
    expect(await rounds(10)).toBe(6);
    await stop();
    await server.close();
  });

  test('a write that stands still and goes on counts as an outage', async () => {
    const server = await openTestServer(sqliteDatabase);
    await configure(server);
    const { token } = await makeCode(server);
    await comeIn(server, token);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    let stands: PromiseWithResolvers<void> | null = null;
    let done = 0;
    const inTransaction: typeof server.deps.inTransaction = async (work) => {
      await stands?.promise;
      return server.deps.inTransaction(work);
    };
    const stop = startSweeper(
      { ...server.deps, inTransaction },
      { held: () => ((done += 1), 0), settle: () => {} },
    );
    const pass = (ms: number) => {
      server.clock.advance(ms);
      vi.advanceTimersByTime(ms);
    };
    stands = Promise.withResolvers();
    pass(SWEEP_EVERY_MS);
    await vi.waitFor(() => expect(done).toBe(0));
    pass(10 * SWEEP_EVERY_MS);
    stands.resolve();
    stands = null;
    await vi.waitFor(() => expect(done).toBe(2));
    const rows = await server.deps.db.selectFrom('active_sessions').select('is_active').execute();
    expect(rows).toEqual([{ is_active: true }]);
    await stop();
    await server.close();
  });
});

describe('the state of a visit', () => {
  const now = new Date('2027-02-14T19:00:00.000Z');
  const fresh = {
    is_active: true,
    started_at: '2027-02-14T18:00:00.000Z',
    completed_at: null,
    disconnection_reason: null,
  };

  test.each([
    [{}, 'open'],
    [{ is_active: false, disconnection_reason: 'timeout' }, 'paused'],
    [{ is_active: false, disconnection_reason: 'user_logout' }, 'paused'],
    [{ is_active: false, disconnection_reason: 'token_revoked' }, 'disconnected'],
    [{ is_active: false, disconnection_reason: 'token_deleted' }, 'disconnected'],
    [{ is_active: false, disconnection_reason: 'user_logout', completed_at: now.toISOString() }, 'ended'],
    [{ started_at: '2027-02-13T19:00:00.001Z' }, 'open'],
    [{ started_at: '2027-02-13T19:00:00.000Z' }, 'ended'],
  ] as const)('%o is %s', (changes, state) => {
    expect(visitState({ ...fresh, ...changes }, now)).toBe(state);
  });
});
