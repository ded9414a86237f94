import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { afterWrong, type TryLimit, waitMs } from '../../src/domain/tries.ts';

const LIMIT: TryLimit = { atOnce: 5, everyMs: 10_000 };

describe('wrong answers', () => {
  test('cost nothing at first, then a pause that is never longer than one', () => {
    let forgiven = 0;
    const waits = [];
    for (let times = 0; times < 7; times += 1) {
      waits.push(waitMs(forgiven, LIMIT, 1_000));
      forgiven = afterWrong(forgiven, LIMIT, 1_000);
    }
    expect(waits).toEqual([0, 0, 0, 0, 0, 10_000, 10_000]);
  });

  test('in any time are no more than the limit says, whenever they are tried', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 200 }), (pauses) => {
        let forgiven = 0;
        let now = 1_000_000;
        const told: number[] = [];
        for (const pause of pauses) {
          now += pause;
          if (waitMs(forgiven, LIMIT, now) > 0) continue;
          forgiven = afterWrong(forgiven, LIMIT, now);
          told.push(now);
        }
        for (const [n, from] of told.entries())
          for (const [m, to] of told.slice(n).entries())
            expect(m + 1).toBeLessThanOrEqual(LIMIT.atOnce + Math.floor((to - from) / LIMIT.everyMs));
      }),
    );
  });

  test('that a clock set back has left in the future hold nobody longer than a pause', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), (ahead) => {
        const now = 1_000_000;
        const wait = waitMs(now + ahead, LIMIT, now);
        expect(wait).toBeLessThanOrEqual(LIMIT.everyMs);
        // Nor does the pause begin anew with each look.
        expect(waitMs(now + ahead, LIMIT, now + 2 * LIMIT.everyMs)).toBeLessThanOrEqual(
          ahead > 7 * LIMIT.everyMs ? 0 : LIMIT.everyMs,
        );
        expect(afterWrong(now + ahead, LIMIT, now)).toBeLessThanOrEqual(now + 6 * LIMIT.everyMs);
      }),
    );
  });
});
