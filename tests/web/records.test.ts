import { describe, expect, test } from 'vitest';
import { ago, ahead } from '../../src/texts/admin/times.ts';
import { shorten } from '../../src/web/admin/components/live-table/shorten.ts';
import { pointReached } from '../../src/web/admin/pages/sessions/stages.ts';
import { codeGroups } from '../../src/web/admin/pages/tokens/big-code.tsx';
import { isThisMachine, opensElsewhere } from '../../src/web/admin/site-address.ts';
import { deviceOf } from '../../src/web/device.ts';

const now = new Date('2027-02-14T19:00:00.000Z');
const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000).toISOString();

test.each([
  [0, 'adesso'],
  [-30, 'adesso'],
  [12, '12 secondi fa'],
  [60, '1 minuto fa'],
  [3_599, '59 minuti fa'],
  [7_200, '2 ore fa'],
  [86_400 * 3, '3 giorni fa'],
])('%i seconds ago is «%s»', (seconds, words) => {
  expect(ago(before(seconds), now)).toBe(words);
});

test.each([
  [30 * 86_400, 'tra 30 giorni'],
  [5_400, 'tra 2 ore'],
  [-10, 'tra 0 secondi'],
])('%i seconds ahead is «%s»', (seconds, words) => {
  expect(ahead(before(-seconds), now)).toBe(words);
});

test.each([
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'phone',
    'iPhone · Safari',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
    'tablet',
    'iPad · Safari',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
    'phone',
    'Android · Chrome',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
    'desktop',
    'Mac · Safari',
  ],
  ['<script>alert(1)</script>', 'desktop', 'Dispositivo sconosciuto'],
  ['', 'desktop', 'Dispositivo sconosciuto'],
  [null, 'desktop', 'Dispositivo sconosciuto'],
])('%s is a %s: «%s»', (user_agent, kind, words) => {
  expect(deviceOf(user_agent)).toEqual({ kind, words });
});

test('a long id is cut, a short one is whole', () => {
  expect(shorten('a'.repeat(21), 20)).toBe(`${'a'.repeat(20)}…`);
  expect(shorten('a'.repeat(20), 20)).toBe('a'.repeat(20));
});

describe('the point a visit has reached', () => {
  const stages = [
    { stage: 'pre_phrases', viaggio: 1, frasi: 7 },
    { stage: 'video', viaggio: 1, frasi: null },
    { stage: 'card', viaggio: 2, frasi: null },
  ] as const;
  test.each([
    [{ step: 0, phrase: 2, second: 0 }, 'Frasi pre-video · frase 3 di 7'],
    // The configuration that was kept has fewer.
    [{ step: 0, phrase: 40, second: 0 }, 'Frasi pre-video · frase 7 di 7'],
    [{ step: 1, phrase: 0, second: 0 }, 'Video'],
    [{ step: 1, phrase: 0, second: 84.9 }, 'Video · al minuto 1:24'],
    [{ step: 1, phrase: 0, second: 3_605 }, 'Video · al minuto 60:05'],
    [{ step: 2, phrase: 0, second: 0 }, 'Biglietti, secondo viaggio'],
    [{ step: 9, phrase: 0, second: 0 }, 'Punto sconosciuto'],
  ])('%j is «%s»', (position, words) => {
    expect(pointReached({ stages: [...stages], position })).toBe(words);
  });
});

test('a code is read in groups', () => {
  expect(codeGroups('ABCDEFGHIJ')).toEqual(['ABCD', 'EFGH', 'IJ']);
});

test.each([
  ['http://localhost:3000', true],
  ['http://127.0.0.1', true],
  ['http://127.1.2.3', true],
  ['http://[::1]:3000', true],
  ['http://sorpresa.localhost', true],
  ['https://sorpresa.example', false],
  ['http://192.168.1.20:3000', false],
  ['https://localhost.example', false],
])('%s is this very machine: %s', (url, expected) => {
  expect(isThisMachine(new URL(url))).toBe(expected);
});

test.each([
  ['http://localhost:3000', false],
  ['http://192.168.1.20:3000', false],
  ['http://10.0.0.7', false],
  ['http://172.16.3.4', false],
  ['http://172.32.3.4', true],
  ['http://169.254.1.1', false],
  ['http://[fd12:3456::1]:3000', false],
  ['http://[fe80::1]', false],
  ['http://[2001:db8::1]', true],
  ['http://raspberrypi.local:3000', false],
  ['http://nas:3000', false],
  ['http://93.184.216.34', true],
  ['https://10.example', true],
  ['https://sorpresa.example', true],
])('%s opens elsewhere: %s', (url, expected) => {
  expect(opensElsewhere(new URL(url))).toBe(expected);
});
