import { describe, expect, test } from 'vitest';
import { isHeavySong, isHeavyVideo } from '../../src/domain/heavy.ts';

/** The limits in plain numbers, so that a changed one is noticed. */
const MB_150 = 157_286_400;
const MB_20 = 20_971_520;
const HOUR = 3_600;

describe('a film is heavy', () => {
  test.each([
    [MB_150, HOUR, false],
    [MB_150 + 1, HOUR, true],
  ])('above 150 MB, however long it is: %i bytes in %i s, %s', (bytes, seconds, heavy) => {
    expect(isHeavyVideo({ bytes, seconds })).toBe(heavy);
  });

  test.each([
    [750_000, 1, false],
    [750_001, 1, true],
    [45_000_000, 60, false],
    [45_000_001, 60, true],
  ])('above 6 Mbit/s, however small it is: %i bytes in %i s, %s', (bytes, seconds, heavy) => {
    expect(isHeavyVideo({ bytes, seconds })).toBe(heavy);
  });
});

test.each([
  [MB_20, false],
  [MB_20 + 1, true],
])('a song is heavy above 20 MB: %i bytes, %s', (bytes, heavy) => {
  expect(isHeavySong(bytes)).toBe(heavy);
});
