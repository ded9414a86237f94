import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { readConfig, saveConfig } from '../../src/server/features/config/config.service.ts';
import { sendTestMessage } from '../../src/server/features/notifications/notifications.service.ts';
import { readQuestions, saveQuestions } from '../../src/server/features/questions/questions.service.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { FULL_CONFIGURATION, FULL_QUESTIONS } from '../support/evenings.ts';
import { useServer } from '../support/suites.ts';
import { configure } from '../support/visits.ts';

const BOT = '123456789:AAabcdefghijklmnopqrstuvwxyz0123456';

const server = useServer(sqliteDatabase, { empty: true });

const read = () => readConfig(server.deps, server.actor);
const save = (versione: number, fields: Parameters<typeof saveConfig>[2]['fields']) =>
  saveConfig(server.deps, server.actor, { versione, fields });

test('before the first save has the defaults and version 0', async () => {
  expect(await read()).toMatchObject({
    versione: 0,
    video_url: null,
    video_playback_rate: 1,
    frasi: [],
    durata_frase_secondi: 6,
    durata_immagine_destinazione_secondi: 5,
    telegram_bot_token_masked: null,
  });
});

test('comes back as it was saved, whole and field by field', async () => {
  await configure(server);
  expect(await read()).toMatchObject({ ...FULL_CONFIGURATION, versione: 1 });
  expect(await save(1, { frasi: ['«a»\n\nb', ' ', ''], frasi_finali: null, titolo_viaggio: null })).toEqual({
    versione: 2,
    bin: expect.any(Array),
  });
  expect(await read()).toMatchObject({
    ...FULL_CONFIGURATION,
    frasi: ['«a»\n\nb', ' ', ''],
    frasi_finali: null,
    titolo_viaggio: null,
  });
  expect(await save(2, {})).toEqual({ versione: 3, bin: [] });
});

test('a stale save is refused and writes nothing', async () => {
  // Nothing was ever saved, or what was read is gone.
  expect(await save(1, { contatto: 'x' })).toEqual({ refused: 'NOT_FOUND' });
  expect(await save(0, { contatto: 'primo' })).toEqual({ versione: 1, bin: [] });
  for (const versione of [0, 2, 99])
    expect(await save(versione, { contatto: 'x' })).toEqual({ refused: 'STALE_VERSION' });
  expect(await read()).toMatchObject({ contatto: 'primo', versione: 1 });
});

test('of fifty saves of the same version one is kept', async () => {
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, n) => save(0, { contatto: `numero ${n}` })),
  );
  const kept = results.flatMap((result, n) => ('versione' in result ? [n] : []));
  expect(kept).toHaveLength(1);
  expect(await read()).toMatchObject({ contatto: `numero ${kept[0]}`, versione: 1 });
});

test('the bot token is stored encrypted, read by its last four signs, and can be taken away', async () => {
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

test('a bot token of another secret counts as none, and takes nothing else along', async () => {
  await save(0, { telegram_bot_token: BOT, telegram_chat_id: '-100123', contatto: '@anna' });
  server.deps.secret = randomBytes(32);
  const rest = { telegram_bot_token_masked: null, telegram_chat_id: '-100123', contatto: '@anna' };
  expect(await read()).toMatchObject(rest);
  expect(await sendTestMessage(server.deps, 'telegram')).toEqual({ refused: 'NOT_CONFIGURED' });
  expect(await save(1, { telegram_bot_token: BOT })).toEqual({ versione: 2, bin: [] });
  expect(await read()).toMatchObject({ ...rest, telegram_bot_token_masked: '••••3456' });
});

test('lists keep only texts, and an odd speed is the normal one', async () => {
  await configure(server);
  await server.deps.db
    .updateTable('admin_config')
    .set({ frasi: '["a",1,null,{"b":2},["c"],"d"]', frasi_pre_video: '{}', video_playback_rate: 3 })
    .execute();
  expect(await read()).toMatchObject({ frasi: ['a', 'd'], frasi_pre_video: [], video_playback_rate: 1 });
});

test('questions are made by the first save and changed one by one', async () => {
  const { deps, actor } = server;
  const none = { domanda_1: null, domanda_2: null, domanda_1_viaggio_2: null, domanda_2_viaggio_2: null };
  const saveAt = (versione: number, fields: object) => saveQuestions(deps, actor, { versione, fields });
  expect(await readQuestions(deps, actor)).toEqual({ ...none, versione: 0 });
  for (const [index, [field, text]] of Object.entries(FULL_QUESTIONS).entries())
    expect(await saveAt(index, { [field]: text })).toMatchObject({ versione: index + 1, [field]: text });
  expect(await readQuestions(deps, actor)).toEqual({ ...FULL_QUESTIONS, versione: 4 });
  expect(await saveAt(4, { domanda_1: null })).toMatchObject({
    ...FULL_QUESTIONS,
    domanda_1: null,
    versione: 5,
  });
});

test('of ten saves of the questions at once one is kept, the others are refused and write nothing', async () => {
  const { deps, actor } = server;
  const saves = Array.from({ length: 10 }, (_, index) =>
    saveQuestions(deps, actor, { versione: 0, fields: { domanda_1: `Domanda ${index}?` } }),
  );
  const results = await Promise.all(saves);
  const kept = results.filter((result) => !('refused' in result));
  expect(kept).toHaveLength(1);
  expect(results.filter((result) => 'refused' in result)).toHaveLength(9);
  expect(kept[0]).toEqual({ ...(await readQuestions(deps, actor)), bin: [] });
});
