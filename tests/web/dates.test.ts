import { expect, test } from 'vitest';
import { confidentialityNotice } from '../../src/texts/access.ts';
import { binTexts } from '../../src/texts/admin/bin.ts';
import { eveningPageTexts } from '../../src/texts/admin/evening.ts';
import { savedTexts } from '../../src/texts/admin/media.ts';
import { readyTexts } from '../../src/texts/admin/ready.ts';
import { dayOf, momentOf } from '../../src/texts/admin/times.ts';
import { longDay, longMoment } from '../../src/texts/dates.ts';
import { notificationText } from '../../src/texts/notifications.ts';

/** Dates as they are said in Italian: the first is an ordinal, and 8 and 11 begin with a vowel. */

const { closes, closed, willBeClosed } = eveningPageTexts.graduation;

test.each([
  ['2026-12-01', 'del 1º dicembre 2026', 'il 1º dicembre 2026', 'dal 1º dicembre 2026'],
  ['2026-12-02', 'del 2 dicembre 2026', 'il 2 dicembre 2026', 'dal 2 dicembre 2026'],
  ['2026-12-08', 'dell’8 dicembre 2026', 'l’8 dicembre 2026', 'dall’8 dicembre 2026'],
  ['2026-12-11', 'dell’11 dicembre 2026', 'l’11 dicembre 2026', 'dall’11 dicembre 2026'],
  ['2026-12-18', 'del 18 dicembre 2026', 'il 18 dicembre 2026', 'dal 18 dicembre 2026'],
  ['2026-12-21', 'del 21 dicembre 2026', 'il 21 dicembre 2026', 'dal 21 dicembre 2026'],
])('%s', (iso, of, the, since) => {
  expect(confidentialityNotice({ data_laurea: iso, closed: false })).toContain(`dopo la laurea ${of}.`);
  const moment = longMoment(`${iso}T12:00:00Z`);
  expect(closes(moment)).toBe(`Il sito si chiude ${the} alle ore 13:00.`);
  expect(closed(moment)).toContain(`Il sito si è chiuso ${the} alle ore 13:00:`);
  expect(willBeClosed(moment)).toContain(`(${since} alle ore 13:00)`);
  expect(savedTexts.uploadedOn(dayOf(`${iso}T12:00:00Z`))).toBe(`Caricato ${the}`);
  const noon = momentOf(`${iso}T12:00:00Z`);
  const within = the.replace('dicembre 2026', 'dic, 13:00:00');
  expect(readyTexts.asked(noon)).toBe(`Provato tutto ${within}.`);
  // «al» is «dal» without its first letter, and «all’» as well.
  expect(binTexts.until(`${iso}T12:00:00Z`)).toBe(`fino ${since.slice(1)}`);
});

test('the first of the month stands alone, too', () => {
  expect(longDay('2027-01-01')).toBe('1º gennaio 2027');
  expect(longDay('mai')).toBe('mai');
  expect(momentOf('2027-01-01T11:00:00Z')).toBe('1º gen, 12:00:00');
});

test('Telegram says since when as well', () => {
  const denied = {
    type: 'access_exceeded',
    token_value: 'ROM-A',
    success: false,
    error_message: 'Codice esaurito',
  } as const;
  const said = (since: string) =>
    notificationText(
      { notifications: [denied, denied], count: 2, since, uncertain: false },
      new Date('2027-06-01T10:00:00Z'),
      'telegram',
    );
  expect(said('2027-05-11T10:00:00Z')).toMatch(/\(dall’11 maggio alle ore 12:00\)$/);
  expect(said('2027-05-01T10:00:00Z')).toMatch(/\(dal 1º maggio alle ore 12:00\)$/);
});
