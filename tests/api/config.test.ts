import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { italianDayOf } from '../../src/domain/days.ts';
import { DAY_MS, MAX_LENGTH } from '../../src/domain/limits.ts';
import { readConfig, saveConfig } from '../../src/server/features/config/settings.ts';
import { sendTestMessage } from '../../src/server/features/notifications/notifier.ts';
import { currentContent } from '../../src/server/features/plan-b/plan-b.maker.ts';
import { readQuestions, saveQuestions } from '../../src/server/features/questions/questions.ts';
import { eveningFiles } from '../../src/server/features/ready/checks.ts';
import { gatherFacts } from '../../src/server/features/ready/ready.ts';
import { parseSnapshot } from '../../src/server/features/visit/snapshot.ts';
import { MAX_LONG_BODY } from '../../src/server/http/edge.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { FULL_CONFIGURATION, snapshotOf } from '../support/evenings.ts';
import { call } from '../support/http.ts';
import { enter, ok, walkTo } from '../support/http-evening.ts';
import { useEvening, useServer } from '../support/suites.ts';
import { configure } from '../support/visits.ts';

const BOT = '123456789:AAabcdefghijklmnopqrstuvwxyz0123456';

describe('saved configuration', () => {
  const server = useServer(sqliteDatabase, { empty: true });

  const read = () => readConfig(server.ctx);
  const save = (versione: number, fields: Parameters<typeof saveConfig>[1]['fields']) =>
    saveConfig(server.ctx, { versione, fields });

  test('returns every saved field, and defaults before the first save', async () => {
    expect(await read()).toMatchObject({ versione: 0, video_url: null, video_playback_rate: 1, frasi: [] });
    await configure(server);
    expect(await read()).toMatchObject({ ...FULL_CONFIGURATION, versione: 1 });
    const fields = { frasi: ['«a»\n\nb', ' ', ''], frasi_finali: null, titolo_viaggio: null };
    expect(await save(1, fields)).toMatchObject({ versione: 2 });
    expect(await read()).toMatchObject({ ...FULL_CONFIGURATION, ...fields });
    for (const [index, secondo_viaggio] of [true, false, null].entries()) {
      expect(await save(2 + index, { secondo_viaggio })).toEqual({ versione: 3 + index, bin: [] });
      expect(await read()).toMatchObject({ secondo_viaggio, titolo_viaggio_2: 'viaggio-due' });
    }
  });

  test('refuses a stale save and stores nothing', async () => {
    // No row exists: nothing was ever saved, or the row that was read was deleted.
    expect(await save(1, { contatto: 'x' })).toEqual({ refused: 'NOT_FOUND' });
    expect(await save(0, { contatto: 'primo' })).toEqual({ versione: 1, bin: [] });
    for (const versione of [0, 2, 99])
      expect(await save(versione, { contatto: 'x' })).toEqual({ refused: 'STALE_VERSION' });
    expect(await read()).toMatchObject({ contatto: 'primo', versione: 1 });
  });

  test('stores one of many concurrent saves of a version, also of the questions', async () => {
    const { ctx } = server;
    const saves = Array.from({ length: 20 }, (_, n) => save(0, { contatto: `numero ${n}` }));
    const questionSaves = saves.map((_, n) =>
      saveQuestions(ctx, { versione: 0, fields: { domanda_1: `Domanda ${n}?` } }),
    );
    const kept = (results: object[]) => results.flatMap((result, n) => ('versione' in result ? [n] : []));
    const [configs, questions] = [kept(await Promise.all(saves)), kept(await Promise.all(questionSaves))];
    expect([configs.length, questions.length]).toEqual([1, 1]);
    expect(await read()).toMatchObject({ contatto: `numero ${configs[0]}`, versione: 1 });
    expect(await readQuestions(ctx)).toMatchObject({
      domanda_1: `Domanda ${questions[0]}?`,
      versione: 1,
    });
  });

  test('encrypts the bot token, returns its last four characters, and deletes it on request', async () => {
    await save(0, { telegram_bot_token: BOT, telegram_chat_id: '-100123' });
    const stored = await server.deps.db.selectFrom('admin_config').selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify(stored)).not.toContain(BOT.slice(10));
    const seen = await read();
    expect(seen).toMatchObject({ telegram_bot_token_masked: '••••3456', telegram_chat_id: '-100123' });
    expect(JSON.stringify(seen)).not.toContain(BOT.slice(10, 30));
    await save(1, { contatto: '@lui' });
    expect(await read()).toMatchObject({ telegram_bot_token_masked: '••••3456' });
    await save(2, { telegram_bot_token: null });
    expect(await read()).toMatchObject({ telegram_bot_token_masked: null });
  });

  test('treats a bot token of another secret as missing and leaves the other fields intact', async () => {
    await save(0, { telegram_bot_token: BOT, telegram_chat_id: '-100123', contatto: '@anna' });
    server.deps.secret = randomBytes(32);
    const rest = { telegram_bot_token_masked: null, telegram_chat_id: '-100123', contatto: '@anna' };
    expect(await read()).toMatchObject(rest);
    expect(await sendTestMessage(server.deps, { canale: 'telegram' })).toEqual({ refused: 'NOT_CONFIGURED' });
    expect(await save(1, { telegram_bot_token: BOT })).toEqual({ versione: 2, bin: [] });
    expect(await read()).toMatchObject({ ...rest, telegram_bot_token_masked: '••••3456' });
  });

  test('reads only texts from a list, and an invalid speed as the normal one', async () => {
    await configure(server);
    await server.deps.db
      .updateTable('admin_config')
      .set({ frasi: '["a",1,null,["c"],"d"]', frasi_pre_video: '{}', video_playback_rate: 3 })
      .execute();
    expect(await read()).toMatchObject({ frasi: ['a', 'd'], frasi_pre_video: [], video_playback_rate: 1 });
  });
});

describe('over HTTP', () => {
  const { server, evening } = useEvening({ keepsake_until: italianDayOf(new Date(Date.now() + 7 * DAY_MS)) });
  const ask = async (method: string, path: string, body?: unknown, cookie = evening.admin) =>
    ok(await call(server.url, method, path, body, { cookie }));
  async function save(path: string, fields: object): Promise<void> {
    const { versione } = (await ask('GET', path)).body;
    await ask('PATCH', path, { versione, fields });
  }

  /**
   * `{nome}` in every possible text. Visit, sealed evening and notifications contain the recipient's name instead, or
   * nothing.
   */
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

  test('replaces {nome} in every text', async () => {
    await save('/admin/config', { ...TEXTS, recipient_name: 'Giulia' });
    await save('/admin/questions', { domanda_1: '{nome}, vieni?', domanda_2: 'Mi ami, { nome }?' });
    const { deps } = server;
    const cookie = await enter(server, evening);
    const walked = await walkTo(server, cookie, 'closing', 2);
    const end = await ask('POST', '/visit/complete', {}, cookie);
    const kept = await ask('POST', '/keepsake/open', { token: evening.token.token }, end.cookie);
    const calendar = await ask('GET', '/keepsake/calendar/1/viaggio.ics', undefined, kept.cookie);
    const messages = await deps.db.selectFrom('notifications').selectAll().execute();
    expect(messages.map(({ payload }) => JSON.parse(payload).type)).toContain('checkbox_response');
    const outputs = [
      JSON.stringify(walked),
      kept.text,
      calendar.text,
      (await ask('GET', '/rehearsal')).text,
      (await ask('GET', '/admin/answers')).text,
      JSON.stringify(messages),
      JSON.stringify(await currentContent(deps)),
    ];
    for (const words of outputs) expect(words).not.toMatch(/\{\s*nome\s*\}/i);
    // All but the calendar contain the question. All but the notifications and the answers contain the trip's title.
    expect(outputs.filter((words) => words.includes('Giulia, vieni?')).length).toBe(6);
    expect(outputs.filter((words) => words.includes('Il viaggio di Giulia')).length).toBe(5);
    // The administrator reads the texts unchanged.
    expect((await ask('GET', '/admin/config')).body).toMatchObject(TEXTS);
  });

  test('hides a second trip that is switched off from new visits only, and deletes nothing', async () => {
    const { deps } = server;
    const { url: biglietti_url_2 } = evening.media.tickets;
    await save('/admin/config', {
      frasi_secondo_viaggio: ['Altrove'],
      biglietti_url_2,
      secondo_viaggio: null,
    });
    const outputs = async () => [
      (await ask('GET', '/rehearsal')).text,
      JSON.stringify(await currentContent(deps)),
      JSON.stringify((await eveningFiles(deps.db)).map(({ role }) => role)),
      JSON.stringify((await gatherFacts(deps, null)).tried.tickets),
    ];
    const second = /Altrove|tickets_2|"viaggio":2/;
    const running = await enter(server, evening);
    for (const each of await outputs()) expect(each).toMatch(second);
    await save('/admin/config', { secondo_viaggio: false });
    for (const each of await outputs()) expect(each).not.toMatch(second);
    const visitor = await enter(server, evening);
    const { stages } = await walkTo(server, visitor, 'closing', 1);
    expect(JSON.stringify(stages)).not.toMatch(second);
    await walkTo(server, running, 'closing', 2);
    await save('/admin/config', { secondo_viaggio: null });
    for (const each of await outputs()) expect(each).toMatch(second);
  });

  test('saves and shows two lists of maximum length, and accepts no other body of that size', async () => {
    const full = Array.from({ length: MAX_LENGTH.phrases }, (_, n) => `${n} `.padEnd(MAX_LENGTH.phrase, '€'));
    const fields = { frasi_pre_video: full, frasi: full };
    await save('/admin/config', fields);
    const visitor = await enter(server, evening);
    const visit = await walkTo(server, visitor, 'phrases');
    expect(visit.stages.at(-2)).toMatchObject({ stage: 'phrases', frasi: full });
    const codeOf = async (method: string, path: string, body: unknown, cookie = evening.admin) =>
      (await call(server.url, method, path, body, { cookie })).body.codice;
    for (const cookie of ['', visitor])
      expect(await codeOf('PATCH', '/admin/config', { versione: 0, fields }, cookie)).toBe(
        'SIGN_IN_REQUIRED',
      );
    expect(await codeOf('POST', '/admin/tokens', fields)).toBe('BODY_TOO_LARGE');
    expect(await codeOf('PATCH', '/admin/config', ' '.repeat(MAX_LONG_BODY + 1))).toBe('BODY_TOO_LARGE');
  });
});

test('replaces {nome} in a visit snapshot stored without the replacement', () => {
  const stored = snapshotOf({ recipient_name: 'Giulia', frasi: ['Ecco, {nome}!'] });
  expect(parseSnapshot(JSON.stringify(stored)).config.frasi).toEqual(['Ecco, Giulia!']);
});
