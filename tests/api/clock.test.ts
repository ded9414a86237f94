import { afterEach, describe, expect, test, vi } from 'vitest';
import { visitState } from '../../src/domain/visit-state.ts';
import { createClock } from '../../src/server/clock.ts';
import { sweepSessions } from '../../src/server/features/visit/sessions.service.ts';
import { SWEEP_EVERY_MS, startSweeper } from '../../src/server/features/visit/sessions.sweeper.ts';
import { useVisit } from '../support/product.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('the product’s time', () => {
  const at = { wall: 10 * DAY, steady: 0 };
  const pass = (ms: number, jump = 0) => {
    at.wall += ms + jump;
    at.steady += ms;
  };

  test.each([-DAY, 2 * DAY, -3 * MINUTE, 3 * MINUTE])(
    'goes on steadily when the clock jumps by %i ms',
    (jump) => {
      const jumps: number[] = [];
      const clock = createClock({ read: () => ({ ...at }), onJump: (ms) => jumps.push(ms) });
      const start = clock.now().getTime();
      pass(MINUTE);
      expect(clock.now().getTime()).toBe(start + MINUTE);
      pass(MINUTE, jump);
      expect(clock.now().getTime()).toBe(start + 2 * MINUTE);
      expect(clock.held()).toBe(jump);
      expect(jumps).toEqual([jump]);
      pass(DAY);
      expect(clock.now().getTime()).toBe(start + 2 * MINUTE + DAY);
      clock.settle();
      expect(clock.now().getTime()).toBe(at.wall);
      expect(clock.held()).toBe(0);
    },
  );

  test.each([
    [90_000, 0],
    [90_001, 90_001],
    [-90_000, 0],
    [-90_001, -90_001],
  ])('of a clock that is set by %i ms holds back %i', (jump, held) => {
    const clock = createClock({ read: () => ({ ...at }) });
    pass(MINUTE, jump);
    expect(clock.held()).toBe(held);
    expect(clock.now().getTime()).toBe(at.wall - held);
  });

  test('follows a clock that is corrected by little, and one that is set back again', () => {
    const clock = createClock({ read: () => ({ ...at }) });
    clock.now();
    pass(MINUTE, 61_000);
    expect(clock.now().getTime()).toBe(at.wall);
    pass(MINUTE, DAY);
    pass(MINUTE);
    expect(clock.held()).toBe(DAY);
    pass(MINUTE, -DAY);
    expect(clock.held()).toBe(0);
    expect(clock.now().getTime()).toBe(at.wall);
  });
});

describe('a clock that was set', () => {
  const visit = useVisit();
  afterEach(() => vi.useRealTimers());

  test('counts once nobody is inside any more', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    let held = 2 * DAY;
    const asked = vi.fn(() => held);
    const stop = startSweeper(visit.server.deps, { held: asked, settle: () => (held = 0) });
    const rounds = async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        const before = asked.mock.calls.length;
        visit.server.clock.advance(SWEEP_EVERY_MS);
        vi.advanceTimersByTime(SWEEP_EVERY_MS);
        await vi.waitFor(() => expect(asked.mock.calls.length).toBeGreaterThan(before));
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

  test('a visit that was heard by a clock ahead of today’s is not open for a day', async () => {
    const { deps } = visit.server;
    const ahead = new Date(visit.server.clock.now().getTime() + DAY).toISOString();
    await deps.db.updateTable('active_sessions').set({ last_activity: ahead }).execute();
    expect(await sweepSessions(deps)).toBe(1);
    expect(visitState(await visit.row(), deps.now())).toBe('paused');
  });
});
