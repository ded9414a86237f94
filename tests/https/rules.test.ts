import { describe, expect, test } from 'vitest';
import {
  type LastRequest,
  nextRequestAt,
  pointsElsewhere,
  renewalDate,
  retryAfterDate,
} from '../../src/server/https/rules.ts';

const MINUTE_MS = 60_000;
const now = new Date('2027-02-14T19:00:00.000Z');
const later = (minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS);
const days = (number: number) => number * 24 * 60;
const life = { from: later(-days(30)), until: later(days(60)) };
const asked = (minutesAgo: number, failures: number, waitUntil: Date | null = null): LastRequest => ({
  at: later(-minutesAgo),
  failures,
  waitUntil,
});

test('renews a certificate at the beginning of the last third of its validity', () => {
  expect(renewalDate(life)).toEqual(later(days(30)));
});

describe('requests to the authority', () => {
  test('begin at once if there is no certificate and no earlier request', () => {
    expect(nextRequestAt(null, null, now).getTime()).toBeLessThanOrEqual(now.getTime());
  });

  test('begin when the certificate is due, but not twice in an hour', () => {
    expect(nextRequestAt(life, null, now)).toEqual(later(days(30)));
    expect(nextRequestAt(life, asked(0, 0), now)).toEqual(later(days(30)));
    const short = { from: later(-2), until: later(1) };
    expect(nextRequestAt(short, asked(0, 0), now)).toEqual(later(60));
  });

  test.each([
    [1, 10],
    [3, 30],
    [40, 60],
  ])('wait after %i failures in a row for %i minutes', (failures, minutes) => {
    expect(nextRequestAt(null, asked(0, failures), now)).toEqual(later(minutes));
  });

  test('follow the authority’s own date, earlier or later than ours', () => {
    expect(nextRequestAt(null, asked(0, 1, later(days(7))), now)).toEqual(later(days(7)));
    expect(nextRequestAt(null, asked(0, 4, later(2)), now)).toEqual(later(2));
    // A date in the past is ignored.
    expect(nextRequestAt(null, asked(0, 1, later(-5)), now)).toEqual(later(10));
  });

  test('ignore a last request that was dated by a clock ahead of time', () => {
    expect(nextRequestAt(null, asked(-days(400), 3), now).getTime()).toBeLessThanOrEqual(now.getTime());
  });
});

test.each([
  ['120', later(2)],
  [' 0 ', now],
  ['Sun, 14 Feb 2027 21:00:00 GMT', later(120)],
  ['soon', null],
  [null, null],
])('parses `Retry-After: %s`', (text, moment) => {
  expect(retryAfterDate(text, now)).toEqual(moment);
});

test.each([
  ['the same', ['192.0.2.7'], ['192.0.2.7', '10.0.0.2'], false],
  ['another public one', ['198.51.100.1'], ['192.0.2.7', '127.0.0.1'], true],
  ['a public one, and behind a router nobody knows', ['198.51.100.1'], ['192.168.1.5', '127.0.0.1'], false],
  ['another one at home', ['192.168.1.9'], ['192.168.1.5'], true],
  ['a public one by IPv4, ours is by IPv6 only', ['198.51.100.1'], ['2001:db8::1', '10.0.0.2'], false],
  ['none', [], ['192.0.2.7'], false],
])('detects whether a name points elsewhere: %s', (_what, found, ours, elsewhere) => {
  expect(pointsElsewhere(found, ours)).toBe(elsewhere);
});
