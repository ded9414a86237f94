import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { PHRASE_LISTS } from '../../src/domain/configuration.ts';
import { MAX_LENGTH } from '../../src/domain/limits.ts';
import { MAX_LONG_BODY } from '../../src/server/http/json-body.ts';
import { call } from '../support/http.ts';
import { enter, ok, walkTo } from '../support/http-evening.ts';
import { useEvening } from '../support/suites.ts';

const FULL = Array.from({ length: MAX_LENGTH.phrases }, (_, n) => `${n} `.padEnd(MAX_LENGTH.phrase, '€'));

const { server, evening } = useEvening();

const read = async () =>
  ok(await call(server.url, 'GET', '/admin/config', undefined, { cookie: evening.admin })).body;
const save = async (fields: object, cookie = evening.admin) =>
  call(server.url, 'PATCH', '/admin/config', { versione: (await read()).versione, fields }, { cookie });

test('two lists as long as they may be are saved together, and shown', async () => {
  ok(await save({ frasi_pre_video: FULL, frasi: FULL }));
  expect(await read()).toMatchObject({ frasi_pre_video: FULL, frasi: FULL });
  const visit = await walkTo(server, await enter(server, evening), 'phrases');
  expect(visit.stages.at(-2)).toMatchObject({ stage: 'phrases', frasi: FULL });
  const one = 'x'.repeat(MAX_LENGTH.phrase + 1);
  for (const frasi of [[...FULL, 'una di troppo'], [one]])
    expect((await save({ frasi })).body.codice).toBe('BAD_INPUT');
});

test('so much is read of the administrator only, and nowhere else', async () => {
  const long = { frasi: FULL.slice(0, 50) };
  for (const cookie of ['', await enter(server, evening)])
    expect((await save(long, cookie)).body.codice).toBe('SIGN_IN_REQUIRED');
  const elsewhere = await call(server.url, 'POST', '/admin/tokens', long, { cookie: evening.admin });
  expect(elsewhere.body.codice).toBe('BODY_TOO_LARGE');
  const endless = ' '.repeat(MAX_LONG_BODY + 1);
  const answer = await call(server.url, 'PATCH', '/admin/config', endless, { cookie: evening.admin });
  expect([answer.status, answer.body.codice]).toEqual([413, 'BODY_TOO_LARGE']);
});

test('only lists of phrases can keep their seconds', async () => {
  const all = [...PHRASE_LISTS];
  for (const kept of [['frasi'], [], all]) {
    ok(await save({ frasi_secondi_esatti: kept }));
    expect((await read()).frasi_secondi_esatti).toEqual(kept);
  }
  for (const bad of [['frasi_finali'], 'frasi', null, [...all, 'frasi'], [1]])
    expect((await save({ frasi_secondi_esatti: bad })).body.codice).toBe('BAD_INPUT');
  expect((await read()).frasi_secondi_esatti).toEqual(all);
});

test.each([
  ['durata_frase_secondi', [3, 7.5, 15], [2.9, 15.1, 0, -6, 1e300, null, '6']],
  ['durata_immagine_destinazione_secondi', [1, 12, 30], [0.9, 30.1, 0, -5, 1e300, null, '5']],
  ['tries_kept_days', [7, 90, 365], [6, 366, 7.5, 0, -7, 1e300, null, '90']],
])('%s within its limits', async (field, good, bad) => {
  for (const seconds of good) {
    ok(await save({ [field]: seconds }));
    expect((await read())[field]).toBe(seconds);
  }
  const before = await read();
  for (const seconds of bad) expect((await save({ [field]: seconds })).body.codice).toBe('BAD_INPUT');
  expect(await read()).toEqual(before);
});

test('the opening is a moment in UTC or none; who comes before it is told which', async () => {
  for (const opens_at of [
    '2020-01-01T00:00:00.000Z',
    '2099-12-12T20:00:00Z',
    null,
    '2099-12-12T20:00:00.000Z',
  ]) {
    ok(await save({ opens_at }));
    expect((await read()).opens_at).toBe(opens_at);
  }
  const bad = [
    '2099-12-12',
    '2099-12-12T21:00',
    '2099-02-30T20:00:00Z',
    '2099-12-12T21:00:00+01:00',
    'domani',
    '',
    0,
  ];
  for (const opens_at of bad) expect((await save({ opens_at })).body.codice).toBe('BAD_INPUT');
  const { token } = evening.token;
  const entry = { token, attempt_id: randomUUID(), device_id: 'device-early' };
  const answer = await call(server.url, 'POST', '/access', entry);
  expect([answer.status, answer.body]).toEqual([
    403,
    {
      codice: 'TOO_EARLY',
      messaggio: 'È ancora presto: ti aspetto sabato 12 dicembre alle 21:00.',
      opens_at: '2099-12-12T20:00:00.000Z',
      secondi: expect.any(Number),
    },
  ]);
  ok(await save({ opens_at: null }));
});
