import { afterEach, expect, test } from 'vitest';
import { italianDayOf } from '../../src/domain/days.ts';
import { eveningNow } from '../../src/server/features/plan-b/evening.ts';
import { readSnapshot } from '../../src/server/features/visit/snapshot.ts';
import { snapshotOf } from '../support/evenings.ts';
import { call } from '../support/http.ts';
import { enter, ok, prepareEvening, walkTo } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** `{nome}` in every text there is: what she, the sealed evening and the messages are told says her name, or nothing. */

let server: TestServer | undefined;
afterEach(() => server?.stop());

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

test.each([
  ['Giulia', 'Giulia, vieni?', 'Il viaggio di Giulia', 2],
  [null, 'Vieni?', 'Il viaggio di', 1],
])('for %j', async (recipient_name, question, title, phrases) => {
  const started = await startServer();
  server = started;
  const keepsake_until = italianDayOf(new Date(Date.now() + 864e5 * 7));
  const evening = await prepareEvening(started, { ...TEXTS, recipient_name, keepsake_until });
  const { url, deps } = started;
  const said: string[] = [];
  const asked = async (method: string, path: string, body?: unknown, cookie = '') => {
    const answer = ok(await call(url, method, path, body, { cookie }));
    said.push(answer.text);
    return answer;
  };
  const { versione } = ok(
    await call(url, 'GET', '/admin/questions', undefined, { cookie: evening.admin }),
  ).body;
  ok(
    await call(url, 'PATCH', '/admin/questions', { versione, fields: QUESTIONS }, { cookie: evening.admin }),
  );

  const cookie = await enter(started, evening);
  said.push(JSON.stringify(await walkTo(started, cookie, 'closing', 2)));
  const end = await asked('POST', '/visit/complete', {}, cookie);
  const kept = await asked('POST', '/keepsake/open', { token: evening.token.token }, end.cookie);
  await asked('GET', '/keepsake/calendar/1/viaggio.ics', undefined, kept.cookie);
  await asked('GET', '/rehearsal', undefined, evening.admin);
  await asked('GET', '/admin/answers', undefined, evening.admin);
  const messages = await deps.db.selectFrom('notifications').selectAll().execute();
  expect(messages.map(({ payload }) => JSON.parse(payload).type)).toContain('checkbox_response');
  said.push(JSON.stringify(messages), JSON.stringify(await eveningNow(deps)));

  for (const words of said) expect(words).not.toMatch(/\{\s*nome\s*\}/i);
  expect(said.filter((words) => words.includes(question)).length).toBeGreaterThanOrEqual(6);
  expect(said.filter((words) => words.includes(title)).length).toBeGreaterThanOrEqual(5);
  // A phrase that was nothing but her name isn't there without it.
  const stage = kept.body.stages.find(
    ({ stage, viaggio }: Record<string, unknown>) => stage === 'phrases' && viaggio === 1,
  );
  expect(stage.frasi).toHaveLength(phrases);
  // Who writes them finds them as they were written.
  const written = await call(url, 'GET', '/admin/config', undefined, { cookie: evening.admin });
  expect(written.body).toMatchObject(TEXTS);
});

test('a visit that was stored before there was a place for it', () => {
  const stored = snapshotOf({ recipient_name: 'Giulia', frasi: ['Ecco, {nome}!'] });
  expect(readSnapshot(JSON.stringify(stored)).config.frasi).toEqual(['Ecco, Giulia!']);
});
