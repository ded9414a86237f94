import { describe, expect, test } from 'vitest';
import type { BinItem } from '../../src/contract/admin/bin.ts';
import { BIN, MAX_LENGTH } from '../../src/domain/limits.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { emptyBin } from '../../src/server/bin/bin.repo.ts';
import { emptyBinNow, listBinned, restoreBinned } from '../../src/server/features/bin/bin.service.ts';
import { sweepBin } from '../../src/server/features/bin/bin.sweeper.ts';
import { readConfig, saveConfig } from '../../src/server/features/config/config.service.ts';
import { readQuestions, saveQuestions } from '../../src/server/features/questions/questions.service.ts';
import { listTokens, removeToken } from '../../src/server/features/tokens/tokens.service.ts';
import { isRefused } from '../../src/server/refused.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { useServer } from '../support/suites.ts';
import { comeIn, makeCode, tryToEnter } from '../support/visits.ts';

type Fields = Parameters<typeof saveConfig>[2]['fields'];

const server = useServer(sqliteDatabase);

const bin = () => listBinned(server.deps, server.actor);
const restore = (id: string) => restoreBinned(server.deps, server.actor, { id });
const config = () => readConfig(server.deps, server.actor);
const save = async (fields: Fields) => {
  const { versione } = await config();
  const saved = await saveConfig(server.deps, server.actor, { versione, fields });
  if (isRefused(saved)) throw new Error(saved.refused);
  return saved;
};
const only = async (): Promise<BinItem> => {
  const items = await bin();
  expect(items).toHaveLength(1);
  return items[0] as BinItem;
};
const remove = (id: string) => removeToken(server.deps, server.actor, { id });
const empty = () => server.deps.inTransaction((tx) => emptyBin(tx));

describe('phrases', () => {
  test('a deleted one comes back between its neighbours, and the version tells', async () => {
    await save({ frasi: ['Uno', 'Due', 'Tre'] });
    await empty();
    await save({ frasi: ['Uno', 'Tre'] });
    const item = await only();
    expect(item).toMatchObject({ kind: 'phrase', place: 'frasi', name: 'Due', token: null, url: null });
    expect(Date.parse(item.until) - Date.parse(item.deleted_at)).toBe(BIN.days * DAY_MS);
    await save({ frasi: ['Zero', 'Uno', 'Tre', 'Quattro'] });
    const { versione } = await config();
    expect(await restore(item.id)).toEqual({ came: 'back' });
    expect(await config()).toMatchObject({
      frasi: ['Zero', 'Uno', 'Due', 'Tre', 'Quattro'],
      versione: versione + 1,
    });
    expect(await bin()).toEqual([]);
    expect(await restore(item.id)).toEqual({ refused: 'NOT_FOUND' });
    const stale = { versione, fields: { frasi: ['Altro'] } };
    expect(await saveConfig(server.deps, server.actor, stale)).toEqual({ refused: 'STALE_VERSION' });
  });

  test('one that is written again leaves it, an edit and a stale save put nothing in', async () => {
    await save({ frasi: ['Uno', 'Due'] });
    await empty();
    await save({ frasi: ['Uno'] });
    await save({ frasi: ['Uno', 'Due'] });
    await save({ frasi: ['Uno', 'Due!'] });
    await saveConfig(server.deps, server.actor, { versione: 1, fields: { frasi: [] } });
    expect(await bin()).toEqual([]);
  });

  test('a full list takes none back until there is room, and then once, though ten ask', async () => {
    const full = Array.from({ length: MAX_LENGTH.phrases }, (_, number) => `Frase ${number}`);
    await save({ frasi: full });
    await empty();
    await save({ frasi: full.slice(1) });
    await save({ frasi: [...full.slice(1), 'Una nuova'] });
    const { id } = await only();
    expect(await restore(id)).toEqual({ refused: 'BIN_LIST_FULL' });
    await save({ frasi: full.slice(1) });
    const ends = await Promise.all(Array.from({ length: 10 }, () => restore(id)));
    expect(ends.filter((end) => !isRefused(end))).toEqual([{ came: 'back' }]);
    expect((await config()).frasi).toEqual(full);
  });
});

describe('questions and closing phrases', () => {
  test('one that was emptied comes back unless another stands there', async () => {
    const { domanda_1 } = await readQuestions(server.deps, server.actor);
    const ask = async (text: string | null) => {
      const { versione } = await readQuestions(server.deps, server.actor);
      return saveQuestions(server.deps, server.actor, { versione, fields: { domanda_1: text } });
    };
    const emptied = await ask('  ');
    const item = await only();
    expect(emptied).toMatchObject({ bin: [item.id] });
    expect(item).toMatchObject({ kind: 'question', place: 'domanda_1', name: domanda_1 });
    await ask('Un’altra?');
    expect(await restore(item.id)).toEqual({ refused: 'BIN_PLACE_TAKEN' });
    expect(await only()).toEqual(item);
    await server.deps.db.deleteFrom('bin').where('id', '!=', item.id).execute();
    await ask(null);
    expect(await restore(item.id)).toEqual({ came: 'back' });
    expect(await readQuestions(server.deps, server.actor)).toMatchObject({ domanda_1 });
  });

  test('the same of a closing phrase', async () => {
    const frasi_finali = { entrambi_si: 'Sì!', entrambi_no: 'No.', misto: 'Forse' };
    await save({ frasi_finali });
    await empty();
    const emptied = await save({ frasi_finali: { ...frasi_finali, misto: '' } });
    const item = await only();
    expect(emptied).toMatchObject({ bin: [item.id] });
    expect([item.kind, item.place, item.name]).toEqual(['closing', 'misto', 'Forse']);
    expect(await restore(item.id)).toEqual({ came: 'back' });
    expect((await config()).frasi_finali).toEqual(frasi_finali);
    await save({ frasi_finali: null });
    expect((await bin()).map(({ name }) => name).toSorted()).toEqual(['Forse', 'No.', 'Sì!']);
  });
});

describe('a code', () => {
  test('lets in again as often as was left, and gives back no visit that was disconnected', async () => {
    const code = await makeCode(server, { max_accessi: 2, nome: 'Giulia' });
    const device = { device_id: 'device-1-hers', attempt_id: 'a-first-attempt-of-hers' };
    const before = await comeIn(server, code.token, device);
    const removed = await remove(code.id);
    const item = await only();
    expect(removed).toEqual({ bin: item.id });
    expect(item).toMatchObject({ kind: 'code', place: null, name: 'Giulia', token: code.token });
    expect(await tryToEnter(server, code.token)).toEqual({ refused: 'CODE_INVALID' });
    const session = () =>
      server.deps.db
        .selectFrom('active_sessions')
        .selectAll()
        .where('id', '=', before.session_id)
        .executeTakeFirstOrThrow();
    expect(await session()).toMatchObject({ is_active: false, disconnection_reason: 'token_deleted' });
    server.messages.length = 0;
    expect(await restore(item.id)).toEqual({ came: 'back' });
    expect(server.messages).toEqual([{ type: 'changed', topics: ['config', 'tokens'] }]);
    expect(await listTokens(server.deps, server.actor)).toEqual([{ ...code, accessi_usati: 1 }]);
    // The attempt of then, from the device of then, with its cookie: all the same.
    expect(await tryToEnter(server, code.token, device)).toMatchObject({ refused: expect.any(String) });
    const after = await comeIn(server, code.token, {
      device_id: device.device_id,
      visit_secret: before.secret,
    });
    expect(after.session_id).not.toBe(before.session_id);
    expect(after.resumed).toBe(false);
    expect(await session()).toMatchObject({ is_active: false, disconnection_reason: 'token_deleted' });
    expect(await tryToEnter(server, code.token)).toEqual({ refused: 'CODE_EXHAUSTED' });
  });

  test('that was revoked comes back revoked', async () => {
    const { id, token } = await makeCode(server);
    await server.deps.db.updateTable('tokens').set({ attivo: false }).where('id', '=', id).execute();
    await remove(id);
    await restore((await only()).id);
    expect(await tryToEnter(server, token)).toEqual({ refused: 'CODE_INVALID' });
  });
});

test('after its time nothing can be taken back; beyond the most it holds the oldest goes; emptied, it holds nothing', async () => {
  await remove((await makeCode(server, { nome: 'Presto' })).id);
  server.clock.advance(BIN.days * DAY_MS);
  await remove((await makeCode(server, { nome: 'Tardi' })).id);
  await sweepBin(server.deps);
  expect((await bin()).map(({ name }) => name)).toEqual(['Tardi', 'Presto']);
  server.clock.advance(1);
  await Promise.all([sweepBin(server.deps), sweepBin(server.deps)]);
  const { id } = await only();
  server.clock.advance(1);
  const many = Array.from({ length: BIN.items }, (_, number) => ({
    id: `new-${number}`,
    kind: 'phrase' as const,
    place: 'frasi',
    name: '…',
    payload: '{}',
    media: '[]',
    deleted_at: server.clock.now().toISOString(),
  }));
  await server.deps.db.insertInto('bin').values(many).execute();
  await sweepBin(server.deps);
  expect((await bin()).map((item) => item.id)).not.toContain(id);
  expect(await bin()).toHaveLength(BIN.items);
  await emptyBinNow(server.deps, server.actor);
  expect(await bin()).toEqual([]);
  expect(await restore('new-1')).toEqual({ refused: 'NOT_FOUND' });
});
