import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  fromLocalMoment,
  toLocalMoment,
  zoneInWords,
} from '../../src/web/admin/pages/evening/local-moment.ts';

/** The opening is chosen on the clocks of the administrator's own device, and kept in UTC. */

afterEach(() => vi.unstubAllEnvs());

describe.each([
  ['Europe/Rome', '2026-12-12T21:00', '2026-12-12T20:00:00.000Z', 'Ora dell’Europa centrale'],
  ['Europe/Rome', '2027-07-01T21:30', '2027-07-01T19:30:00.000Z', 'Ora dell’Europa centrale'],
  ['America/New_York', '2026-12-12T15:00', '2026-12-12T20:00:00.000Z', 'Ora orientale USA'],
])('on a device in %s', (zone, local, utc, words) => {
  test(`${local} is ${utc}, there and back`, () => {
    vi.stubEnv('TZ', zone);
    expect(fromLocalMoment(local)).toBe(utc);
    expect(toLocalMoment(utc)).toBe(local);
    expect(zoneInWords()).toBe(words);
  });
});

test.each([
  ['the hour that spring leaves out', '2027-03-28T02:30'],
  ['a day that isn’t', '2027-02-30T21:00'],
  ['half a moment', '2027-02'],
  ['no moment', 'domani'],
  ['nothing', ''],
])('%s is refused', (_name, local) => {
  vi.stubEnv('TZ', 'Europe/Rome');
  expect(fromLocalMoment(local)).toBeNull();
});

test('of the hour that autumn has twice the first one is meant', () => {
  vi.stubEnv('TZ', 'Europe/Rome');
  expect(fromLocalMoment('2026-10-25T02:30')).toBe('2026-10-25T00:30:00.000Z');
  expect(toLocalMoment('2026-10-25T01:30:00.000Z')).toBe('2026-10-25T02:30');
});
