import { describe, expect, test } from 'vitest';
import {
  afterMessage,
  afterRetry,
  believable,
  opensAt,
  pauseAfter,
  pausedUntil,
} from '../../src/server/features/notifications/pace.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NOW = Date.parse('2027-02-14T19:00:00.000Z');

/** When so many messages leave that all wait from `NOW` on, in seconds after it. */
function leaving(messages: number, pace: number): number[] {
  const left: number[] = [];
  let [now, at] = [NOW, pace];
  while (left.length < messages) {
    now = Math.max(now, opensAt(at));
    left.push((now - NOW) / SECOND);
    at = afterMessage(at, now);
  }
  return left;
}

describe('messages', () => {
  test('leave eight at once after a silence, then one each five seconds', () => {
    expect(leaving(11, 0)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 5, 10, 15]);
  });

  test('leave one by one once a pause is over', () => {
    expect(leaving(3, pausedUntil(0, NOW + MINUTE))).toEqual([60, 65, 70]);
  });

  test('are held back longer by a pause, never less than they were', () => {
    const far = pausedUntil(0, NOW + HOUR);
    expect(pausedUntil(far, NOW + MINUTE)).toBe(far);
  });
});

test('who doesn’t answer is left alone for 5 s, twice as long each time, for ten minutes at most', () => {
  const pauses = [1, 2, 3, 7, 8, 10_000].map((failures) => pauseAfter(failures) / SECOND);
  expect(pauses).toEqual([5, 10, 20, 320, 600, 600]);
});

test('who asks to wait is asked again then, after an hour at the latest', () => {
  expect(afterRetry(40, NOW)).toBe(NOW + 40 * SECOND);
  expect(afterRetry(3_600, NOW)).toBe(NOW + HOUR);
  expect(afterRetry(3_601, NOW)).toBe(NOW + HOUR);
});

test('a pace further ahead than any pause was noted by a clock that has been set back', () => {
  const longest = afterMessage(pausedUntil(0, afterRetry(3_600, NOW)), NOW);
  expect(believable(longest, NOW)).toBe(longest);
  expect(believable(longest + 1, NOW)).toBe(NOW);
  expect(believable(NOW - HOUR, NOW)).toBe(NOW - HOUR);
});
