import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { timeLeft } from '../../src/domain/countdown.ts';
import { isTooEarly, secondsUntil } from '../../src/domain/opening.ts';
import { dayAndHour, tooEarly } from '../../src/texts/opening.ts';

const OPENING = '2026-12-12T20:00:00.000Z';
const at = (ms: number) => new Date(Date.parse(OPENING) + ms);

test('before its moment a code comes too early, from its first millisecond on it doesn’t; without one never', () => {
  expect(isTooEarly(OPENING, at(-1))).toBe(true);
  expect(isTooEarly(OPENING, at(0))).toBe(false);
  expect(isTooEarly(null, at(-1))).toBe(false);
});

test('who waits the seconds that were told comes in time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 12 }), (ms) => {
      const seconds = secondsUntil(OPENING, at(-ms));
      expect(Number.isInteger(seconds)).toBe(true);
      expect(isTooEarly(OPENING, at(seconds * 1_000 - ms))).toBe(false);
    }),
  );
  expect(secondsUntil(OPENING, at(0))).toBe(1);
});

test.each([
  [90_061_000, [1, 1, 1, 1]],
  [59_001, [0, 0, 1, 0]],
  [1, [0, 0, 0, 1]],
  [0, [0, 0, 0, 0]],
  [-5_000, [0, 0, 0, 0]],
])('%i ms are counted down as %j', (ms, parts) => {
  expect(timeLeft(ms)).toEqual(parts);
});

test.each([
  [OPENING, 'Europe/Rome', 'sabato 12 dicembre alle 21:00'],
  [OPENING, 'Europe/London', 'sabato 12 dicembre alle 20:00'],
  [OPENING, 'Asia/Tokyo', 'domenica 13 dicembre alle 05:00'],
  ['2026-10-31T23:30:00Z', 'Europe/Rome', 'domenica 1º novembre alle 00:30'],
])('%s is said on the clocks of %s', (moment, zone, words) => {
  expect(dayAndHour(moment, zone)).toBe(words);
});

test('she is told when she is waited for', () => {
  expect(tooEarly(dayAndHour(OPENING, 'Europe/Rome'))).toBe(
    'È ancora presto: ti aspetto sabato 12 dicembre alle 21:00.',
  );
  expect(dayAndHour(OPENING, 'Europe/Rome', 'numeric')).toBe('sabato 12 dicembre 2026 alle 21:00');
});
