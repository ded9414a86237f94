import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sessionSchema } from '../../src/contract/admin/logs.ts';
import { visitState } from '../../src/domain/evening.ts';
import { createClock } from '../../src/server/clock.ts';
import type { Deps } from '../../src/server/deps.ts';
import { listSessions } from '../../src/server/features/sessions/sessions.ts';
import { setTokenActive } from '../../src/server/features/tokens/tokens.ts';
import { trackUserExit } from '../../src/server/features/visit/presence.ts';
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
    for (let n = 0; n < many; n += 1) await enterOrThrow(server, token);
    clock.advance(60_000);
    const alive = await enterOrThrow(server, (await makeCode(server)).token);
    clock.advance(30_000);
    server.messages.length = 0;
    expect(await sweepSessions(deps)).toBe(many);
    expect(server.messages).toEqual([{ type: 'changed', topics: ['sessions', 'logs'] }]);
    expect((await listSessions(server.ctx)).attive).toMatchObject([{ id: alive.session_id }]);
    const ended = await eventsOf(server, 'session_ended');
    expect(ended).toHaveLength(many);
    expect(ended[0]).toMatchObject({ reason: 'timeout', exit_point: 'during_pre_phrases' });
    expect(await sweepSessions(deps)).toBe(0);
  });

  test('counts a visit as inside for half an hour after its last heartbeat, a day at most, and not once completed', async () => {
    const { deps, clock } = server;
    const inside = () => hasActiveVisit(deps.db, clock.now());
    const change = (fields: { last_activity?: string; completed_at?: string }) =>
      deps.db.updateTable('active_sessions').set(fields).execute();
    expect(await inside()).toBe(false);
    await enterOrThrow(server, (await makeCode(server)).token);
    clock.advance(DAY - 1);
    await sweepSessions(deps);
    expect(await inside()).toBe(false);
    await change({ last_activity: clock.now().toISOString() });
    expect(await inside()).toBe(true);
    clock.advance(1);
    expect(await inside()).toBe(false);
    clock.advance(-1);
    await change({ completed_at: clock.now().toISOString() });
    expect(await inside()).toBe(false);
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

  const open = async () => {
    const rows = server.deps.db.selectFrom('active_sessions').select('id').where('is_active', '=', true);
    return (await rows.execute()).length;
  };
  test('closes silent visits, but none while the database is away, and for 90 s after it is back', async () => {
    await enterOrThrow(server, (await makeCode(server)).token);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    let isAway = false;
    const inTransaction: Deps['inTransaction'] = async (work) => {
      if (isAway) throw new Error('the database is away');
      return server.deps.inTransaction(work);
    };
    /** Called at the end of each round. */
    const done = vi.fn(() => 0);
    const log = { ...server.deps.log, error: done } as unknown as Deps['log'];
    const clock = { heldJumpMs: done, acceptJump: () => {} };
    const stop = startSweeper({ ...server.deps, log, inTransaction }, clock);
    const round = async () => {
      const before = done.mock.calls.length;
      server.clock.advance(SWEEP_INTERVAL_MS);
      vi.advanceTimersByTime(SWEEP_INTERVAL_MS);
      await vi.waitFor(() => expect(done).toHaveBeenCalledTimes(before + 1));
    };
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
      device_id: 'device-1-abc',
      state: 'open',
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
    for (const body of ['{', null]) {
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

  const start = (onJump: (ms: number) => void = () => undefined) => createClock(onJump, () => ({ ...at }));

  test('continues steadily when the system clock jumps, until the jump is accepted', () => {
    const jumps: number[] = [];
    const clock = start((ms) => jumps.push(ms));
    const began = clock.now().getTime();
    pass(MINUTE, -DAY);
    pass(DAY);
    expect(clock.now().getTime()).toBe(began + MINUTE + DAY);
    expect(clock.heldJumpMs()).toBe(-DAY);
    expect(jumps).toEqual([-DAY]);
    clock.acceptJump();
    expect(clock.now().getTime()).toBe(at.wall);
    expect(clock.heldJumpMs()).toBe(0);
  });

  test.each([
    [90_000, 0],
    [90_001, 90_001],
    [-90_000, 0],
    [-90_001, -90_001],
  ])('holds back, on a clock set by %i ms, %i ms, and nothing once it is set back', (jump, held) => {
    const clock = start();
    pass(MINUTE, jump);
    expect(clock.heldJumpMs()).toBe(held);
    expect(clock.now().getTime()).toBe(at.wall - held);
    pass(MINUTE, -jump);
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
