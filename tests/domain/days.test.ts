import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTooEarly, secondsUntil } from '../../src/domain/access.ts';
import { dayAfter, italianDayOf, lastItalianDays, tripDays } from '../../src/domain/days.ts';
import { isKeepsakeOpen } from '../../src/domain/evening.ts';
import { dayAndHour, timeLeft, tooEarly } from '../../src/texts/opening-time.ts';

describe('days', () => {
  test('starts a day at midnight on Italian clocks, in winter and in summer', () => {
    expect(italianDayOf(new Date('2027-01-10T22:59:59.999Z'))).toBe('2027-01-10');
    expect(italianDayOf(new Date('2027-01-10T23:00:00.000Z'))).toBe('2027-01-11');
    expect(italianDayOf(new Date('2027-07-10T22:00:00.000Z'))).toBe('2027-07-11');
  });

  test.each([
    ['the clocks go forward', '2027-03-28T00:30:00Z', ['2027-03-26', '2027-03-27', '2027-03-28']],
    ['the clocks go back', '2027-10-31T00:30:00Z', ['2027-10-29', '2027-10-30', '2027-10-31']],
    ['New Year', '2026-12-31T23:30:00Z', ['2026-12-30', '2026-12-31', '2027-01-01']],
  ])('returns the last three days: %s', (_when, now, days) => {
    expect(lastItalianDays(new Date(now), 3)).toEqual(days);
  });
});

test('keeps a keepsake open through its last day in Italy, and closed without a day', () => {
  const isOpen = (day: string | null, now: string) => isKeepsakeOpen(day, new Date(now));
  expect(isOpen('2027-07-01', '2027-07-01T21:59:59Z')).toBe(true);
  expect(isOpen('2027-07-01', '2027-07-01T22:00:00Z')).toBe(false);
  expect(isOpen('2027-12-01', '2027-12-01T22:59:59Z')).toBe(true);
  expect(isOpen('2027-12-01', '2027-12-01T23:00:00Z')).toBe(false);
  expect(isOpen(null, '2027-06-01T00:00:00Z')).toBe(false);
});

describe('opening time', () => {
  const OPENING = '2026-12-12T20:00:00.000Z';
  const at = (ms: number) => new Date(Date.parse(OPENING) + ms);

  test('is too early before the opening time, not from its first millisecond on, and never without one', () => {
    expect(isTooEarly(OPENING, at(-1))).toBe(true);
    expect(isTooEarly(OPENING, at(0))).toBe(false);
    expect(isTooEarly(null, at(-1))).toBe(false);
  });

  test('lets a client enter after the reported seconds', () => {
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
    [1, [0, 0, 0, 1]],
    [-5_000, [0, 0, 0, 0]],
  ])('splits %i ms into %j', (ms, parts) => {
    expect(timeLeft(ms)).toEqual(parts);
  });

  test.each([
    [OPENING, 'Europe/Rome', 'sabato 12 dicembre alle 21:00'],
    [OPENING, 'Asia/Tokyo', 'domenica 13 dicembre alle 05:00'],
    ['2026-10-31T23:30:00Z', 'Europe/Rome', 'domenica 1º novembre alle 00:30'],
  ])('formats %s on the clocks of %s', (moment, zone, words) => {
    expect(dayAndHour(moment, zone)).toBe(words);
  });

  test('includes the opening time in the visitor’s message', () => {
    expect(tooEarly(dayAndHour(OPENING, 'Europe/Rome'))).toBe(
      'È ancora presto: ti aspetto sabato 12 dicembre alle 21:00.',
    );
    expect(dayAndHour(OPENING, 'Europe/Rome', 'numeric')).toBe('sabato 12 dicembre 2026 alle 21:00');
  });
});

describe('trip dates', () => {
  const EVENING = '2027-11-20';
  const days = (from: string | null, to: string | null) => {
    const result = tripDays(from, to, EVENING);
    return result && `${result.first} ${result.last}`;
  };

  describe('tripDays', () => {
    test.each([
      ['15 Dicembre 2027', '20 Dicembre 2027', '2027-12-15 2027-12-20'],
      ['15/12/2027', '20.12.2027', '2027-12-15 2027-12-20'],
      ['5-1-28', '2028-01-09', '2028-01-05 2028-01-09'],
      [' 1° gennaio  2028 ', '1º gen. 2028', '2028-01-01 2028-01-01'],
      ['mercoledì 15 dicembre 2027', 'lun 20 dic 2027, ore 18:30', '2027-12-15 2027-12-20'],
      ['il 15 dicembre 2027 alle 7.40', '20 dicembre 2027', '2027-12-15 2027-12-20'],
      ['l’8 dicembre 2027', "l'11 dicembre 2027", '2027-12-08 2027-12-11'],
      ['15 sett. 2028', '18 settemb. 2028', '2028-09-15 2028-09-18'],
      ['15 dicembre ’27 ✈️', '18 dicembre ‘27', '2027-12-15 2027-12-18'],
      ['primo maggio 2028', '1º maggio 2028', '2028-05-01 2028-05-01'],
      ['Partenza: dal 15 dicembre 2027', 'al 18 dicembre 2027 (sabato)', '2027-12-15 2027-12-18'],
      ['\u200e１５\u00a0dicembre\u200b 2027', '18 dicembre 2027', '2027-12-15 2027-12-18'],
      ['dal 15 al 20 dicembre', '', '2027-12-15 2027-12-20'],
      ['15–18 dicembre 2027', null, '2027-12-15 2027-12-18'],
      ['dal 28 dicembre al 3 gennaio', '', '2027-12-28 2028-01-03'],
      ['dal primo al 3 maggio 2028', '', '2028-05-01 2028-05-03'],
      ['dall’8 all’11 dicembre 2027', '\u200b', '2027-12-08 2027-12-11'],
    ])('parses %s – %s', (from, to, result) => expect(days(from, to)).toBe(result));

    test.each([
      ['15 dicembre', '20 dicembre', '2027-12-15 2027-12-20'],
      ['15/12', '20/12', '2027-12-15 2027-12-20'],
      // A day before the evening is in the next year; the return follows the departure.
      ['15 marzo', '20 marzo', '2028-03-15 2028-03-20'],
      ['28 dicembre', '2 gennaio', '2027-12-28 2028-01-02'],
      ['28 dicembre', '2 gennaio 2029', '2028-12-28 2029-01-02'],
      ['15 dicembre 2028', '20 dicembre', '2028-12-15 2028-12-20'],
    ])('completes a missing year: %s – %s', (from, to, result) => expect(days(from, to)).toBe(result));

    test('returns the day of departure without a return', () => {
      expect(days('15 dicembre 2027', null)).toBe('2027-12-15 2027-12-15');
    });

    test.each([
      ['', '20 dicembre 2027'],
      ['15 dicembre 2027', 'dopo Natale'],
      ['dicembre 2027', null],
      ['15 o 16 dicembre 2027', null],
      ['15 ma 2027', null],
      ['15 dicembre 10', null],
      ['dal 20 al 15 dicembre 2027', ''],
      ['29 febbraio 2027', null],
      ['12/15/2027', null],
      // That day is a Wednesday.
      ['lunedì 15 dicembre 2027', null],
      ['20 dicembre 2027', '15 dicembre 2027'],
      ['15 dicembre 2027', '15 dicembre 2037'],
    ])('rejects ambiguous dates: %s – %s', (from, to) => expect(days(from, to)).toBeNull());

    test('dayAfter returns the next calendar day', () => {
      expect(dayAfter('2027-12-31')).toBe('2028-01-01');
      expect(dayAfter('2028-02-28')).toBe('2028-02-29');
    });
  });
});
