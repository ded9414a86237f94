import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ChannelName } from '../../src/domain/channels.ts';
import { footerSentence } from '../../src/texts/access.ts';
import { binTexts } from '../../src/texts/admin/bin.ts';
import { eveningPageTexts } from '../../src/texts/admin/evening.ts';
import {
  ago,
  ahead,
  dayOf,
  humanShare,
  humanSize,
  humanSpeed,
  humanTimeLeft,
  momentOf,
} from '../../src/texts/admin/formats.ts';
import { savedTexts } from '../../src/texts/admin/media.ts';
import { meaningOf } from '../../src/texts/admin/notifications.ts';
import { reasonLabel } from '../../src/texts/admin/sessions.ts';
import { uploadTexts } from '../../src/texts/admin/uploads.ts';
import { longDay, longMoment } from '../../src/texts/dates.ts';
import { mailFailures, notificationText } from '../../src/texts/notifications.ts';
import { shorten } from '../../src/web/admin/components/live-table/shorten.ts';
import {
  fromLocalMoment,
  toLocalMoment,
  zoneInWords,
} from '../../src/web/admin/pages/evening/local-moment.ts';
import { pointReached } from '../../src/web/admin/pages/sessions/stages.ts';
import { deviceOf } from '../../src/web/device.ts';

/** Italian texts for numbers, dates and answers. */

afterEach(() => vi.unstubAllEnvs());

/** Asserts the function's result for each value. */
const expectResults = <T>(format: (value: T) => unknown, rows: readonly (readonly [T, unknown])[]) =>
  expect(rows.map(([value]) => format(value))).toEqual(rows.map(([, text]) => text));

describe('dates', () => {
  const { closes, willBeClosed } = eveningPageTexts.occasion;

  test.each([
    ['2026-12-01', 'del 1º dicembre 2026', 'il 1º dicembre 2026', 'dal 1º dicembre 2026'],
    ['2026-12-08', 'dell’8 dicembre 2026', 'l’8 dicembre 2026', 'dall’8 dicembre 2026'],
    ['2026-12-18', 'del 18 dicembre 2026', 'il 18 dicembre 2026', 'dal 18 dicembre 2026'],
  ])('uses the article that fits the date %s', (iso, of, the, since) => {
    const noon = `${iso}T12:00:00Z`;
    const moment = longMoment(noon);
    expect(footerSentence({ data_laurea: iso, closed: false, footer_text: null })).toContain(
      `dopo la laurea ${of}.`,
    );
    expect(closes(moment)).toBe(`Il sito si chiude ${the} alle ore 13:00.`);
    expect(willBeClosed(moment)).toContain(`(${since} alle ore 13:00)`);
    expect(savedTexts.uploadedOn('video', dayOf(noon))).toBe(`Caricato ${the}`);
    // «al» and «all’» are «dal» and «dall’» without the first letter.
    expect(binTexts.until(noon)).toBe(`fino ${since.slice(1)}`);
  });

  test('formats dates alone and in Telegram messages', () => {
    expectResults(longDay, [
      ['2027-01-01', '1º gennaio 2027'],
      ['mai', 'mai'],
    ]);
    expect(momentOf('2027-01-01T11:00:00Z')).toBe('1º gen, 12:00:00');
    const event = { type: 'access_exceeded', token_value: 'ROM-A', success: false } as const;
    const denied = { ...event, error_message: 'Codice esaurito' };
    const group = { notifications: [denied, denied], count: 2, uncertain: false };
    const text = (since: string) =>
      notificationText({ ...group, since }, new Date('2027-06-01T10:00:00Z'), 'telegram');
    expect(text('2027-05-11T10:00:00Z')).toMatch(/\(dall’11 maggio alle ore 12:00\)$/);
    expect(text('2027-05-01T10:00:00Z')).toMatch(/\(dal 1º maggio alle ore 12:00\)$/);
  });

  test('formats relative times in the past and the future', () => {
    const now = new Date('2027-02-14T19:00:00.000Z');
    const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000).toISOString();
    expectResults(
      (seconds) => ago(before(seconds), now),
      [
        [0, 'adesso'],
        [-30, 'adesso'],
        [12, '12 secondi fa'],
        [60, '1 minuto fa'],
        [3_599, '59 minuti fa'],
      ],
    );
    expectResults(
      (seconds) => ahead(before(-seconds), now),
      [
        [30 * 86_400, 'tra 30 giorni'],
        [5_400, 'tra 2 ore'],
        [-10, 'tra 0 secondi'],
      ],
    );
  });

  test.each([
    ['Europe/Rome', '2027-07-01T21:30', '2027-07-01T19:30:00.000Z', 'Ora dell’Europa centrale'],
    ['America/New_York', '2026-12-12T15:00', '2026-12-12T20:00:00.000Z', 'Ora orientale USA'],
  ])('converts the local time of a device in %s: %s is %s', (zone, local, utc, words) => {
    vi.stubEnv('TZ', zone);
    expect([fromLocalMoment(local), toLocalMoment(utc), zoneInWords()]).toEqual([utc, local, words]);
  });

  test('refuses times that do not exist, and uses the first of an ambiguous hour', () => {
    vi.stubEnv('TZ', 'Europe/Rome');
    for (const none of ['2027-03-28T02:30', '2027-02-30T21:00', '2027-02', 'domani', ''])
      expect(fromLocalMoment(none), none).toBeNull();
    expect(fromLocalMoment('2026-10-25T02:30')).toBe('2026-10-25T00:30:00.000Z');
    expect(toLocalMoment('2026-10-25T01:30:00.000Z')).toBe('2026-10-25T02:30');
  });
});

test('formats sizes, speeds, times and shares', () => {
  const MB = 1024 ** 2;
  expectResults(humanSize, [
    [0, '0 byte'],
    [1_023, '1023 byte'],
    [1_024, '1 kB'],
    [340.4 * MB, '340 MB'],
    [1.25 * 1024 * MB, '1,3 GB'],
  ]);
  expect(humanSpeed(2.44 * MB)).toBe('2,4 MB/s');
  expectResults(humanTimeLeft, [
    [3, 'pochi secondi'],
    [25, 'meno di un minuto'],
    [60, '1 minuto'],
    [754, '13 minuti'],
    [3_600, '1 ora'],
    [3_900, '1 ora e 5 minuti'],
    [7_260, '2 ore e 1 minuto'],
  ]);
  expectResults(uploadTexts.readyIn, [
    [4, 'pronto fra pochi secondi'],
    [29, 'pronto fra meno di un minuto'],
    [45, 'pronto fra circa 1 minuto'],
    [549, 'pronto fra circa 9 minuti'],
    [754, 'pronto fra circa 15 minuti'],
  ]);
  // A share reaches 100% only at the end, and never exceeds it.
  expectResults(humanShare, [
    [0.4, '40%'],
    [0.9999, '99%'],
    [1, '100%'],
    [1.2, '100%'],
    [-0.1, '0%'],
  ]);
  expectResults(uploadTexts.resumeProgress, [
    [0.01, 'Era arrivato all’1%.'],
    [0.08, 'Era arrivato all’8%.'],
    [0.18, 'Era arrivato al 18%.'],
    [0.8, 'Era arrivato all’80%.'],
    [0.9, 'Era arrivato al 90%.'],
  ]);
  expect(shorten('a'.repeat(21), 20)).toBe(`${'a'.repeat(20)}…`);
  expect(shorten('a'.repeat(20), 20)).toEqual('a'.repeat(20));
});

const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5';

test('derives a device’s name from its user agent', () => {
  expectResults(deviceOf, [
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${APPLE} Mobile/15E148 Safari/604.1`,
      { kind: 'phone', words: 'iPhone · Safari' },
    ],
    [
      `Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) ${APPLE} Mobile/15E148 Safari/604.1`,
      { kind: 'tablet', words: 'iPad · Safari' },
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
      { kind: 'phone', words: 'Android · Chrome' },
    ],
    ...['<script>alert(1)</script>', '', null].map(
      (agent) => [agent, { kind: 'desktop', words: 'Dispositivo sconosciuto' }] as const,
    ),
  ]);
});

test('names the point a visit has reached, even if the configuration has fewer phrases', () => {
  const stages = [
    { stage: 'pre_phrases', viaggio: 1, frasi: 7 },
    { stage: 'video', viaggio: 1, frasi: null },
    { stage: 'card', viaggio: 2, frasi: null },
  ] as const;
  expectResults<readonly [step: number, phrase: number, second: number]>(
    ([step, phrase, second]) => pointReached({ stages: [...stages], position: { step, phrase, second } }),
    [
      [[0, 40, 0], 'Frasi pre-video · frase 7 di 7'],
      [[1, 0, 0], 'Video'],
      [[1, 0, 3_605.9], 'Video · al minuto 60:05'],
      [[2, 0, 0], 'Biglietti, secondo viaggio'],
      [[9, 0, 0], 'Punto sconosciuto'],
    ],
  );
});

test.each<[ChannelName, string, RegExp | null]>([
  ['email', '535 5.7.139 Authentication unsuccessful, basic authentication is disabled.', /^Microsoft/],
  ['email', '535 5.7.8 Username and Password not accepted', /password per le app/],
  ['email', '450 4.2.0 Greylisted', /partiranno da sole/],
  ['email', '550 5.1.1 No such user', /rifiuta il mittente o il destinatario/],
  ['email', '502 5.5.1 Error: command not implemented', /l’altra cifratura/],
  ['email', '552 5.2.2 Mailbox full', /piena/],
  ['email', '554 5.7.1 Spam', /ha rifiutato/],
  ['email', `${mailFailures.certificate} (CERT_HAS_EXPIRED)`, /con il nome/],
  ['email', `${mailFailures.tls} (EPROTO)`, /465/],
  ['email', `${mailFailures.network} (ECONNREFUSED)`, /nome del server, porta/],
  ['email', '250 2.0.0 Ok: queued', null],
  ['telegram', '401 Unauthorized', /^Telegram non riconosce la chiave/],
  ['telegram', '400 Bad Request: chat not found', /^Telegram non trova la chat/],
  ['telegram', '403 Forbidden: bot was blocked by the user', /^Il bot non può scrivere/],
  ['telegram', '429 Too Many Requests: retry after 5', /rallentare/],
  ['telegram', '502 Bad Gateway', /appena passa/],
  ['telegram', 'ok, message_id 1', null],
])('explains known answers of a service of %s: «%s»', (channel, answer, meaning) => {
  const text = meaningOf(channel, answer);
  if (meaning === null) expect(text).toBeNull();
  else expect(text).toMatch(meaning);
});

test('labels the exit from a finished evening as its end', () => {
  expect(reasonLabel('user_logout', true)).toBe('È arrivata alla fine');
  expect(reasonLabel('user_logout', false)).toBe('Ha chiuso la pagina');
  expect(reasonLabel('token_deleted', true)).toBe('Codice eliminato');
});
