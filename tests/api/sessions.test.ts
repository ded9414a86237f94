import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sessionSchema } from '../../src/contract/admin/logs.ts';
import { visitState } from '../../src/domain/evening.ts';
import { createClock } from '../../src/server/clock.ts';
import type { Deps } from '../../src/server/deps.ts';
import { listSessions } from '../../src/server/features/sessions/sessions.ts';
import { setTokenActive } from '../../src/server/features/tokens/tokens.ts';
import { heartbeat, trackUserExit } from '../../src/server/features/visit/presence.ts';
import { hasActiveVisit } from '../../src/server/features/visit/sessions.repo.ts';
import {
  createSweepSchedule,
  SWEEP_INTERVAL_MS,
  startSweeper,
  sweepSessions,
} from '../../src/server/features/visit/sessions.ts';
import { saveSnapshot } from '../../src/server/features/visit/snapshot.ts';
import { reportPosition } from '../../src/server/features/visit/visit.ts';
import { hashSecret } from '../../src/server/features/visit/visitor.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { checkInvariants } from '../support/invariants.ts';
import { inParallel } from '../support/parallel.ts';
import { eventsOf, sessionRow, useVisit } from '../support/product.ts';
import { useServer } from '../support/suites.ts';
import { configure, enterOrThrow, holderOf, makeCode, visitorOf, walkTo } from '../support/visits.ts';

const server = useServer(sqliteDatabase);
const leave = async (secret: string, state: 'background' | 'closed') =>
  trackUserExit(
    { ...server.deps, holder: await holderOf(server, secret) },
    {
      state,
      exitPoint: 'during_post_phrases',
      seq: 1,
    },
  );

describe('sweep of silent sessions', () => {
  test('closes exactly the silent ones of many, each with one event and its exit point', async () => {
    const { deps, clock } = server;
    // More than fit into one statement of the log.
    const many = 520;
    const { token } = await makeCode(server, { max_accessi: many });
    const inside = await inParallel(
      Array.from({ length: many }, () => () => enterOrThrow(server, token)),
      // All use one code, so they wait for one another.
      5,
    );
    clock.advance(60_000);
    const alive = inside.slice(0, 10);
    for (const { secret } of alive) await heartbeat({ ...deps, holder: await holderOf(server, secret) }, {});
    clock.advance(30_000);
    server.messages.length = 0;
    expect(await sweepSessions(deps)).toBe(many - 10);
    expect(server.messages).toEqual([{ type: 'changed', topics: ['sessions', 'logs'] }]);
    const open = deps.db.selectFrom('active_sessions').select('id').where('is_active', '=', true);
    expect((await open.execute()).map(({ id }) => id).toSorted()).toEqual(
      alive.map(({ session_id }) => session_id).toSorted(),
    );
    const ended = await eventsOf(server, 'session_ended');
    expect(ended).toHaveLength(many - 10);
    expect(ended[0]).toMatchObject({ reason: 'timeout', exit_point: 'during_pre_phrases' });
    expect(await sweepSessions(deps)).toBe(0);
  });

  test('leaves a consistent log if a heartbeat arrives at the same moment', async () => {
    const { deps, clock } = server;
    const { token } = await makeCode(server, { max_accessi: 100 });
    for (let round = 0; round < 4; round += 1) {
      const { secret } = await enterOrThrow(server, token);
      const holder = await holderOf(server, secret);
      clock.advance(90_000);
      const work = [0, 1].flatMap(() => [sweepSessions(deps), heartbeat({ ...deps, holder }, {})]);
      await Promise.all(work);
      await heartbeat({ ...deps, holder: await holderOf(server, secret) }, {});
      expect((await holderOf(server, secret)).state).toBe('open');
      expect(await checkInvariants(deps.db, clock.now())).toEqual([]);
    }
  });

  test('counts a visit as inside until half an hour after its last heartbeat, for a day at most, and not once completed', async () => {
    const { deps, clock } = server;
    const inside = () => hasActiveVisit(deps.db, clock.now());
    const change = (id: string, fields: { last_activity?: string; completed_at?: string | null }) =>
      deps.db.updateTable('active_sessions').set(fields).where('id', '=', id).execute();
    expect(await inside()).toBe(false);
    const { session_id } = await enterOrThrow(server, (await makeCode(server)).token);
    clock.advance(30 * 60_000 - 1);
    await sweepSessions(deps);
    expect(await inside()).toBe(true);
    clock.advance(1);
    expect(await inside()).toBe(false);
    clock.advance(23.5 * 3_600_000 - 1);
    await change(session_id, { last_activity: clock.now().toISOString() });
    expect(await inside()).toBe(true);
    clock.advance(1);
    expect(await inside()).toBe(false);
    const other = await enterOrThrow(server, (await makeCode(server)).token);
    for (const completed_at of [clock.now().toISOString(), null]) {
      await change(other.session_id, { completed_at });
      expect(await inside()).toBe(completed_at === null);
    }
  });
});

describe('sweep schedule', () => {
  /** Returns for each round after a jump of the wall clock if the sweep is due. */
  const rounds = (count: number, { before = 0, jump = 0 } = {}) => {
    const { isTime } = createSweepSchedule({ wall: 0, steady: 0 });
    const round = (n: number, ahead: number) =>
      isTime({ wall: ahead + n * SWEEP_INTERVAL_MS, steady: n * SWEEP_INTERVAL_MS });
    for (let n = 1; n <= before; n += 1) round(n, 0);
    return Array.from({ length: count }, (_, n) => round(before + n + 1, jump));
  };
  const later = [false, false, false, false, false];

  test('begins after 90 s, and again if the clock jumps ahead by more than two rounds', () => {
    expect(rounds(8)).toEqual([...later, true, true, true]);
    for (const jump of [3_600_000, 2 * SWEEP_INTERVAL_MS + 1])
      expect(rounds(7, { before: 10, jump })).toEqual([false, ...later, true]);
    for (const jump of [2 * SWEEP_INTERVAL_MS, 0, -3_600_000])
      expect(rounds(2, { before: 10, jump })).toEqual([true, true]);
    // Late rounds of a busy machine are no jump.
    expect(createSweepSchedule({ wall: 0, steady: 0 }).isTime({ wall: 600_000, steady: 600_000 })).toBe(true);
  });
});

describe('sweeper', () => {
  afterEach(() => vi.useRealTimers());

  const pass = (ms: number) => {
    server.clock.advance(ms);
    vi.advanceTimersByTime(ms);
  };
  const open = async () => {
    const rows = server.deps.db.selectFrom('active_sessions').select('id').where('is_active', '=', true);
    return (await rows.execute()).length;
  };
  /** Starts the sweeper with one open visit. `round` passes one round and waits until it has succeeded or failed. */
  async function started(changes: Partial<Deps> = {}) {
    const { token } = await makeCode(server, { max_accessi: 2 });
    await enterOrThrow(server, token);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    const done = vi.fn(() => 0);
    const log = { ...server.deps.log, error: done } as unknown as Deps['log'];
    const stop = startSweeper(
      { ...server.deps, log, ...changes },
      { heldJumpMs: done, acceptJump: () => {} },
    );
    const round = async () => {
      const before = done.mock.calls.length;
      pass(SWEEP_INTERVAL_MS);
      await vi.waitFor(() => expect(done).toHaveBeenCalledTimes(before + 1));
    };
    return { token, stop, round, done };
  }

  test('closes silent visits 90 s after the start, and stops when stopped', async () => {
    const { token, stop, round } = await started();
    for (let n = 0; n < 5; n += 1) await round();
    expect(await open()).toBe(1);
    await round();
    expect(await open()).toBe(0);
    await enterOrThrow(server, token);
    await stop();
    for (let n = 0; n < 20; n += 1) pass(SWEEP_INTERVAL_MS);
    expect(await open()).toBe(1);
  });

  test('closes no visit while the database is away, and for 90 s after it is back', async () => {
    let isAway = false;
    const inTransaction: Deps['inTransaction'] = async (work) => {
      if (isAway) throw new Error('the database is away');
      return server.deps.inTransaction(work);
    };
    const { stop, round } = await started({ inTransaction });
    for (let n = 0; n < 2; n += 1) await round();
    isAway = true;
    // Longer than the first 90 s and than those that begin with each failed round.
    for (let n = 0; n < 20; n += 1) await round();
    isAway = false;
    for (let n = 0; n < 6; n += 1) {
      await round();
      expect(await open()).toBe(1);
    }
    await round();
    expect(await open()).toBe(0);
    await stop();
  });
});

test('derives the state open, paused, disconnected or ended; a visit ends after a day', () => {
  const now = new Date('2027-02-14T19:00:00.000Z');
  const began = { is_active: true, started_at: '2027-02-14T18:00:00.000Z' };
  const fresh = { ...began, completed_at: null, disconnection_reason: null };
  const closed = (disconnection_reason: 'timeout' | 'user_logout' | 'token_revoked' | 'token_deleted') => ({
    is_active: false,
    disconnection_reason,
  });
  for (const [changes, state] of [
    [{}, 'open'],
    [closed('timeout'), 'paused'],
    [closed('user_logout'), 'paused'],
    [closed('token_revoked'), 'disconnected'],
    [closed('token_deleted'), 'disconnected'],
    [{ ...closed('user_logout'), completed_at: now.toISOString() }, 'ended'],
    [{ started_at: '2027-02-13T19:00:00.001Z' }, 'open'],
    [{ started_at: '2027-02-13T19:00:00.000Z' }, 'ended'],
  ] as const)
    expect(visitState({ ...fresh, ...changes }, now), JSON.stringify(changes)).toBe(state);
});

describe('list of sessions', () => {
  let code: Awaited<ReturnType<typeof makeCode>>;
  beforeEach(async () => {
    await configure(server, {
      frasi_pre_video: ['Una', '  ', 'Due'],
      frasi_finali_secondo_viaggio: ['Fine'],
    });
    code = await makeCode(server, { max_accessi: 50 });
  });
  const list = () => listSessions(server.ctx);

  test('shows an open one with its stages and its position, but not its secrets', async () => {
    expect(await list()).toEqual({ attive: [], terminate: [], conteggi: { attive: 0, terminate: 0 } });
    const { secret, session_id } = await enterOrThrow(server, code.token, { device_id: 'device-1-abc' });
    await walkTo(server, secret, 1);
    server.clock.advance(7_000);
    await reportPosition(
      { ...server.deps, visitor: await visitorOf(server, secret) },
      { step: 1, phrase: 0, second: 12.5 },
    );
    const listing = await list();
    expect(listing.conteggi).toEqual({ attive: 1, terminate: 0 });
    const [first] = listing.attive;
    expect(first).toMatchObject({
      id: session_id,
      token_value: code.token,
      device_id: 'device-1-abc',
      user_agent: 'Mozilla/5.0 (iPhone)',
      state: 'open',
      started_at: '2027-02-14T19:00:00.000Z',
      last_activity: '2027-02-14T19:00:07.000Z',
      exit_point: 'during_pre_phrases',
      background: false,
      position: { step: 1, phrase: 0, second: 12.5 },
    });
    expect(first?.stages.slice(0, 2)).toEqual([
      { stage: 'pre_phrases', viaggio: 1, frasi: 2 },
      { stage: 'video', viaggio: 1, frasi: null },
    ]);
    expect(first?.stages.at(-1)).toEqual({ stage: 'closing', viaggio: 2, frasi: 1 });
    expect(sessionSchema.safeParse(first).success).toBe(true);
    const { attempt_id } = await sessionRow(server, session_id);
    for (const secretText of [secret, hashSecret(secret), attempt_id, code.id, 'Una'])
      expect(JSON.stringify(listing)).not.toContain(secretText);
  });

  test('shows visits in the background and why a session ended', async () => {
    const revoked = await makeCode(server);
    await enterOrThrow(server, revoked.token);
    await setTokenActive(server.ctx, { id: revoked.id, attivo: false });
    server.clock.advance(1_000);
    const hidden = await enterOrThrow(server, code.token);
    await leave(hidden.secret, 'background');
    const left = await enterOrThrow(server, code.token);
    server.clock.advance(5_000);
    await leave(left.secret, 'closed');
    const { attive, terminate, conteggi } = await list();
    expect(conteggi).toEqual({ attive: 1, terminate: 2 });
    expect(attive).toMatchObject([{ id: hidden.session_id, background: true }]);
    expect(terminate).toMatchObject([
      { id: left.session_id, state: 'paused', disconnection_reason: 'user_logout', background: false },
      { token_value: revoked.token, disconnection_reason: 'token_revoked' },
    ]);
  });

  test('shows no stages of a visit with unreadable content, and all stages of the others', async () => {
    const [broken, whole] = [await enterOrThrow(server, code.token), await enterOrThrow(server, code.token)];
    for (const body of ['{', '{"config":{}}', 'null', null]) {
      const snapshot_hash = `hash of ${body}`;
      if (body !== null) await saveSnapshot(server.deps.db, { hash: snapshot_hash, body });
      await server.deps.db
        .updateTable('active_sessions')
        .set({ snapshot_hash, exit_point: 'elsewhere' })
        .where('id', '=', broken.session_id)
        .execute();
      const { attive } = await list();
      const one = (id: string) => attive.find((session) => session.id === id);
      expect(one(broken.session_id)).toMatchObject({ stages: [], exit_point: null });
      expect(one(whole.session_id)?.stages.length).toBeGreaterThan(5);
    }
  });
});

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('product clock', () => {
  const at = { wall: 10 * DAY, steady: 0 };
  const pass = (ms: number, jump = 0) => {
    at.wall += ms + jump;
    at.steady += ms;
  };

  test.each([-DAY, 2 * DAY])('continues steadily when the system clock jumps by %i ms', (jump) => {
    const jumps: number[] = [];
    const clock = createClock(
      (ms) => jumps.push(ms),
      () => ({ ...at }),
    );
    const start = clock.now().getTime();
    pass(MINUTE);
    expect(clock.now().getTime()).toBe(start + MINUTE);
    pass(MINUTE, jump);
    expect(clock.now().getTime()).toBe(start + 2 * MINUTE);
    expect(clock.heldJumpMs()).toBe(jump);
    expect(jumps).toEqual([jump]);
    pass(DAY);
    expect(clock.now().getTime()).toBe(start + 2 * MINUTE + DAY);
    clock.acceptJump();
    expect(clock.now().getTime()).toBe(at.wall);
    expect(clock.heldJumpMs()).toBe(0);
  });

  test.each([
    [90_000, 0],
    [90_001, 90_001],
    [-90_000, 0],
    [-90_001, -90_001],
  ])('holds back, on a clock set by %i ms, %i ms', (jump, held) => {
    const clock = createClock(
      () => undefined,
      () => ({ ...at }),
    );
    pass(MINUTE, jump);
    expect(clock.heldJumpMs()).toBe(held);
    expect(clock.now().getTime()).toBe(at.wall - held);
  });

  test('follows a small correction, and a clock that is set back again', () => {
    const clock = createClock(
      () => undefined,
      () => ({ ...at }),
    );
    clock.now();
    pass(MINUTE, 61_000);
    expect(clock.now().getTime()).toBe(at.wall);
    pass(MINUTE, DAY);
    pass(MINUTE);
    expect(clock.heldJumpMs()).toBe(DAY);
    pass(MINUTE, -DAY);
    expect(clock.heldJumpMs()).toBe(0);
    expect(clock.now().getTime()).toBe(at.wall);
  });
});

describe('system clock that was set', () => {
  const visit = useVisit();
  afterEach(() => vi.useRealTimers());

  test('is accepted once no visit is inside any more', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    let held = 2 * DAY;
    const readHeldJump = vi.fn(() => held);
    const stop = startSweeper(visit.server.deps, { heldJumpMs: readHeldJump, acceptJump: () => (held = 0) });
    const rounds = async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        const before = readHeldJump.mock.calls.length;
        visit.server.clock.advance(SWEEP_INTERVAL_MS);
        vi.advanceTimersByTime(SWEEP_INTERVAL_MS);
        await vi.waitFor(() => expect(readHeldJump.mock.calls.length).toBeGreaterThan(before));
      }
    };
    await rounds(10);
    expect((await visit.row()).is_active).toBe(false);
    expect(held).toBe(2 * DAY);
    visit.server.clock.advance(30 * MINUTE);
    await rounds(1);
    await vi.waitFor(() => expect(held).toBe(0));
    await stop();
  });

  test('does not leave a visit open for a day if its last heartbeat is ahead of the present clock', async () => {
    const { deps } = visit.server;
    const ahead = new Date(visit.server.clock.now().getTime() + DAY).toISOString();
    await deps.db.updateTable('active_sessions').set({ last_activity: ahead }).execute();
    expect(await sweepSessions(deps)).toBe(1);
    expect(visitState(await visit.row(), deps.now())).toBe('paused');
  });
});
