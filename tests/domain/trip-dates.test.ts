import { describe, expect, test } from 'vitest';
import { dayAfter, tripDays } from '../../src/domain/trip-dates.ts';

const EVENING = '2027-11-20';
const days = (from: string | null, to: string | null) => {
  const found = tripDays(from, to, EVENING);
  return found && `${found.first} ${found.last}`;
};

describe('the days of a trip', () => {
  test.each([
    ['15 Dicembre 2027', '20 Dicembre 2027', '2027-12-15 2027-12-20'],
    ['15/12/2027', '20.12.2027', '2027-12-15 2027-12-20'],
    ['5-1-28', '2028-01-09', '2028-01-05 2028-01-09'],
    [' 1° gennaio  2028 ', '1º gen. 2028', '2028-01-01 2028-01-01'],
    ['mercoledì 15 dicembre 2027', 'lun 20 dic 2027, ore 18:30', '2027-12-15 2027-12-20'],
    ['il 15 dicembre 2027 alle 7.40', '20 dicembre 2027', '2027-12-15 2027-12-20'],
    ['29 febbraio 2028', '2 marzo 2028', '2028-02-29 2028-03-02'],
  ])('%s – %s', (from, to, found) => expect(days(from, to)).toBe(found));

  test.each([
    ['15 dicembre', '20 dicembre', '2027-12-15 2027-12-20'],
    ['15/12', '20/12', '2027-12-15 2027-12-20'],
    // Before the evening's day it is next year's; the way back comes after the way there.
    ['15 marzo', '20 marzo', '2028-03-15 2028-03-20'],
    ['28 dicembre', '2 gennaio', '2027-12-28 2028-01-02'],
    ['28 dicembre', '2 gennaio 2029', '2028-12-28 2029-01-02'],
    ['15 dicembre 2028', '20 dicembre', '2028-12-15 2028-12-20'],
  ])('without a year: %s – %s', (from, to, found) => expect(days(from, to)).toBe(found));

  test('without a way back are the day of departure', () => {
    expect(days('15 dicembre 2027', null)).toBe('2027-12-15 2027-12-15');
    expect(days('15 dicembre', ' ')).toBe('2027-12-15 2027-12-15');
  });

  test.each([
    ['', '20 dicembre 2027'],
    ['Data da definire', 'Data da definire'],
    ['presto', null],
    ['15 dicembre 2027', 'dopo Natale'],
    ['dicembre 2027', null],
    ['fine dicembre', null],
    ['15 o 16 dicembre 2027', null],
    ['15', null],
    ['31 febbraio 2028', null],
    ['29 febbraio 2027', null],
    ['12/15/2027', null],
    ['0/12/2027', null],
    // It is a Wednesday.
    ['lunedì 15 dicembre 2027', null],
    ['20 dicembre 2027', '15 dicembre 2027'],
    ['15 dicembre 2027', '15 dicembre 2037'],
  ])('are not guessed: %s – %s', (from, to) => expect(days(from, to)).toBeNull());

  test('end before the day after', () => {
    expect(dayAfter('2027-12-31')).toBe('2028-01-01');
    expect(dayAfter('2028-02-28')).toBe('2028-02-29');
  });
});
