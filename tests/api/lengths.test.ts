import { describe, expect, test } from 'vitest';
import { call } from '../support/http.ts';
import { useSignedUp } from '../support/suites.ts';

/** The longest texts and lists, in plain numbers: they are kept whole, and one sign or one item more is refused. */

const { server, to } = useSignedUp();

async function save(path: '/admin/config' | '/admin/questions', fields: object) {
  const { versione } = (await call(server.url, 'GET', path, undefined, to)).body;
  return call(server.url, 'PATCH', path, { versione, fields }, to);
}

type Field = [field: string, longest: number];

async function expectLongest(path: '/admin/config' | '/admin/questions', [field, longest]: Field, of: Of) {
  expect((await save(path, { [field]: of(longest) })).status).toBe(200);
  expect((await save(path, { [field]: of(longest + 1) })).body).toMatchObject({ codice: 'BAD_INPUT' });
  expect((await call(server.url, 'GET', path, undefined, to)).body[field]).toEqual(of(longest));
}
type Of = (length: number) => unknown;
/** As people count: a rose is one sign, whatever it takes to store it. */
const text: Of = (length) => `🌹🌹${'è'.repeat(length - 2)}`;

describe('of the configuration', () => {
  test.each<Field>([
    ['titolo_destinazione', 200],
    ['titolo_destinazione_2', 200],
    ['titolo_viaggio', 200],
    ['titolo_viaggio_2', 200],
    ['data_partenza', 200],
    ['data_ritorno', 200],
    ['data_partenza_2', 200],
    ['data_ritorno_2', 200],
    ['testo_istruzioni_biglietti', 2_000],
    ['testo_istruzioni_biglietti_2', 2_000],
    ['video_button_text', 50],
    ['contatto', 100],
    ['privacy_notice', 5_000],
    ['recipient_name', 60],
  ])('%s: %i signs', (field, longest) => expectLongest('/admin/config', [field, longest], text));

  const lists = [
    'frasi_pre_video',
    'frasi',
    'frasi_tra_viaggi',
    'frasi_secondo_viaggio',
    'frasi_finali_secondo_viaggio',
  ];
  test.each(lists)('%s: phrases of 2,000 signs, and 200 of them', async (field) => {
    await expectLongest('/admin/config', [field, 2_000], (length) => [text(length)]);
    await expectLongest('/admin/config', [field, 200], (length) => Array(length).fill('Vieni?'));
  });

  test.each(['entrambi_si', 'entrambi_no', 'misto'])('closing phrase %s: 2,000 signs', (which) =>
    expectLongest('/admin/config', ['frasi_finali', 2_000], (length) => ({
      entrambi_si: 'Sì.',
      entrambi_no: 'No.',
      misto: 'Forse.',
      [which]: text(length),
    })),
  );
});

test.each(['domanda_1', 'domanda_2', 'domanda_1_viaggio_2', 'domanda_2_viaggio_2'])(
  '%s: 500 signs',
  (field) => expectLongest('/admin/questions', [field, 500], text),
);

test('the name of a code: 200 signs', async () => {
  const make = (length: number) => call(server.url, 'POST', '/admin/tokens', { nome: text(length) }, to);
  expect(await make(200)).toMatchObject({ status: 201, body: { nome: text(200) } });
  expect((await make(201)).body).toMatchObject({ codice: 'BAD_INPUT' });
});
