import { expect, test } from 'vitest';
import { italianDayOf, lastItalianDays } from '../../src/domain/days.ts';

test('a day begins at midnight on Italian clocks, in winter and in summer', () => {
  expect(italianDayOf(new Date('2027-01-10T22:59:59.999Z'))).toBe('2027-01-10');
  expect(italianDayOf(new Date('2027-01-10T23:00:00.000Z'))).toBe('2027-01-11');
  expect(italianDayOf(new Date('2027-07-10T21:59:59.999Z'))).toBe('2027-07-10');
  expect(italianDayOf(new Date('2027-07-10T22:00:00.000Z'))).toBe('2027-07-11');
});

test.each([
  ['the clocks go forward', '2027-03-28T00:30:00Z', ['2027-03-26', '2027-03-27', '2027-03-28']],
  ['the day after', '2027-03-28T22:30:00Z', ['2027-03-27', '2027-03-28', '2027-03-29']],
  ['the clocks go back', '2027-10-31T00:30:00Z', ['2027-10-29', '2027-10-30', '2027-10-31']],
  ['its last hour', '2027-10-31T22:30:00Z', ['2027-10-29', '2027-10-30', '2027-10-31']],
  ['a leap year', '2028-03-01T12:00:00Z', ['2028-02-28', '2028-02-29', '2028-03-01']],
  ['New Year', '2026-12-31T23:30:00Z', ['2026-12-30', '2026-12-31', '2027-01-01']],
])('the last three days when %s', (_when, now, days) => {
  expect(lastItalianDays(new Date(now), 3)).toEqual(days);
});
