import { afterAll, beforeAll, expect, test } from 'vitest';
import { italianDayOf } from '../../src/domain/days.ts';
import { eveningNow } from '../../src/server/features/plan-b/evening.ts';
import { readSnapshot } from '../../src/server/features/visit/snapshot.ts';
import { snapshotOf } from '../support/evenings.ts';
import { call } from '../support/http.ts';
import { type Evening, enter, ok, prepareEvening, walkTo } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** `{nome}` in every text there is: what she, the sealed evening and the messages are told says her name, or nothing. */

const TEXTS = {
  frasi_pre_video: ['{nome}, prima'],
  frasi: ['Ecco, {nome}!', '{nome}'],
  frasi_tra_viaggi: ['Ancora, {nome}'],
  frasi_secondo_viaggio: ['Di nuovo {nome}'],
  frasi_finali_secondo_viaggio: ['Buonanotte, *{nome}*'],
  frasi_finali: { entrambi_si: 'Sì, {nome}', entrambi_no: 'No, {nome}', misto: 'Forse, {nome}' },
  video_button_text: '{nome}, inizia',
  titolo_destinazione: 'Parigi, {nome}',
  titolo_viaggio: 'Il viaggio di {nome}',
  data_partenza: '15 Dicembre 2027',
  data_ritorno: '20 Dicembre 2027',
  data_ritorno_2: 'Quando vuoi, {nome}',
  testo_istruzioni_biglietti: 'Stampali, {Nome}.',
};
const QUESTIONS = { domanda_1: '{nome}, vieni?', domanda_2: 'Mi ami, { nome }?' };

let server: TestServer;
let evening: Evening;
beforeAll(async () => {
  server = await startServer();
  const keepsake_until = italianDayOf(new Date(Date.now() + 864e5 * 7));
  evening = await prepareEvening(server, { ...TEXTS, keepsake_until });
  await save('/admin/questions', QUESTIONS);
});
afterAll(() => server.stop());

async function ask(method: string, path: string, body?: unknown, cookie = evening.admin) {
  return ok(await call(server.url, method, path, body, { cookie }));
}
async function save(path: string, fields: object): Promise<void> {
  const { versione } = (await ask('GET', path)).body;
  await ask('PATCH', path, { versione, fields });
}

test.each([
  ['Giulia', 'Giulia, vieni?', 'Il viaggio di Giulia', 2],
  [null, 'Vieni?', 'Il viaggio di', 1],
])('for %j', async (recipient_name, question, title, phrases) => {
  await save('/admin/config', { recipient_name });
  const { deps } = server;
  for (const table of ['checkbox_responses', 'notifications'] as const)
    await deps.db.deleteFrom(table).execute();
  const cookie = await enter(server, evening);
  const walked = await walkTo(server, cookie, 'closing', 2);
  const end = await ask('POST', '/visit/complete', {}, cookie);
  const kept = await ask('POST', '/keepsake/open', { token: evening.token.token }, end.cookie);
  const calendar = await ask('GET', '/keepsake/calendar/1/viaggio.ics', undefined, kept.cookie);
  const messages = await deps.db.selectFrom('notifications').selectAll().execute();
  expect(messages.map(({ payload }) => JSON.parse(payload).type)).toContain('checkbox_response');
  const said = [
    JSON.stringify(walked),
    kept.text,
    calendar.text,
    (await ask('GET', '/rehearsal')).text,
    (await ask('GET', '/admin/answers')).text,
    JSON.stringify(messages),
    JSON.stringify(await eveningNow(deps)),
  ];
  for (const words of said) expect(words).not.toMatch(/\{\s*nome\s*\}/i);
  // All but the calendar ask her, all but the messages and the answers say what the trip is called.
  expect(said.filter((words) => words.includes(question)).length).toBe(6);
  expect(said.filter((words) => words.includes(title)).length).toBe(5);
  // A phrase that was nothing but her name isn't there without it.
  const shown = kept.body.stages.find((stage: object) =>
    expect.objectContaining({ stage: 'phrases', viaggio: 1 }).asymmetricMatch(stage),
  );
  expect(shown.frasi).toHaveLength(phrases);
  // Who writes them finds them as they were written.
  expect((await ask('GET', '/admin/config')).body).toMatchObject(TEXTS);
});

test('a visit that was stored before there was a place for it', () => {
  const stored = snapshotOf({ recipient_name: 'Giulia', frasi: ['Ecco, {nome}!'] });
  expect(readSnapshot(JSON.stringify(stored)).config.frasi).toEqual(['Ecco, Giulia!']);
});
