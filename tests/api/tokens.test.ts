import { describe, expect, test } from 'vitest';
import type { TokenRecord } from '../../src/contract/model.ts';
import { MAX_ACCESSES } from '../../src/domain/limits.ts';
import {
  addAccess,
  createToken,
  extendToken,
  listTokens,
  removeToken,
  setTokenActive,
} from '../../src/server/features/tokens/tokens.ts';
import { trackUserExit } from '../../src/server/features/visit/presence.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { entryResult, sessionRow } from '../support/product.ts';
import { useServer } from '../support/suites.ts';
import { enterOrThrow, holderOf, makeCode } from '../support/visits.ts';

const DAY = 24 * 3_600_000;
const NOBODY = '00000000-0000-4000-8000-000000000000';

const server = useServer(sqliteDatabase);

const events = async (type: string) => {
  const found = server.deps.db.selectFrom('event_logs').selectAll().where('event_type', '=', type);
  return (await found.execute()).map(({ token_value, metadata }) => ({
    token_value,
    ...JSON.parse(metadata),
  }));
};
const switchTo = (id: string, attivo: boolean) => setTokenActive(server.ctx, { id, attivo });
const remove = (id: string) => removeToken(server.ctx, { id });
const list = () => listTokens(server.ctx);
const more = (token: TokenRecord) => addAccess(server.ctx, token);
const extend = (token: TokenRecord, giorni: number) => extendToken(server.ctx, { ...token, giorni });
const later = (ms: number) => new Date(server.clock.now().getTime() + ms).toISOString();

describe('new code', () => {
  test('has the defaults, its creator, its event and a name', async () => {
    for (const nome of ['', '   ', '\n\t'])
      expect(await createToken(server.ctx, { nome })).toEqual({ refused: 'NAME_REQUIRED' });
    const made = await makeCode(server, { nome: '  Per lei  ' });
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      token: expect.stringMatching(/^ROM-[2-9A-HJKMNP-Z]{8}$/),
      nome: 'Per lei',
      max_accessi: 1,
      accessi_usati: 0,
      scadenza: later(30 * DAY),
      attivo: true,
      created_by: 'admin-1',
      created_at: later(0),
    });
    expect(await events('token_created')).toEqual([{ token_value: made.token }]);
    server.clock.advance(1_000);
    const newest = await makeCode(server, { nome: 'b', max_accessi: 3, giorni: null });
    expect(await list()).toEqual([newest, made]);
  });

  test('is drawn again if it exists, ten times', async () => {
    const create = (nome: string, draw: () => number) => createToken(server.ctx, { nome }, draw);
    expect(await create('a', () => 0)).toMatchObject({ token: 'ROM-22222222' });
    let drawn = 0;
    expect(await create('b', () => (drawn++ < 9 * 8 ? 0 : 1))).toMatchObject({ token: 'ROM-33333333' });
    expect(await events('token_created')).toHaveLength(2);
    await expect(create('c', () => 0)).rejects.toThrow('10 codes');
    expect(await list()).toHaveLength(2);
  });
});

describe('revoked code', () => {
  test('disconnects every holder at once and is logged once for each, despite concurrent revocations', async () => {
    const { id, token } = await makeCode(server, { max_accessi: 5 });
    const stranger = await enterOrThrow(server, (await makeCode(server)).token);
    const holders = [];
    for (let n = 0; n < 3; n += 1) holders.push(await enterOrThrow(server, token));
    const ids = holders.map(({ session_id }) => session_id);
    const left = { state: 'closed', exitPoint: 'during_pre_phrases', seq: 0 } as const;
    await trackUserExit({ ...server.deps, holder: await holderOf(server, holders[1]?.secret ?? '') }, left);
    server.messages.length = 0;
    const answers = await Promise.all(Array.from({ length: 10 }, () => switchTo(id, false)));
    expect(answers[0]).toMatchObject({ id, attivo: false, accessi_usati: 3 });
    const cut = { is_active: false, disconnection_reason: 'token_revoked' };
    for (const session_id of ids) expect(await sessionRow(server, session_id)).toMatchObject(cut);
    expect(await sessionRow(server, stranger.session_id)).toMatchObject({ is_active: true });
    const forced = await events('forced_disconnect');
    expect(forced.map(({ session_id }) => session_id).toSorted()).toEqual(
      [ids[0] ?? '', ids[2] ?? ''].toSorted(),
    );
    expect(forced[0]).toMatchObject({ token_value: token, reason: 'token_revoked' });
    expect(await events('token_revoked')).toEqual([{ token_value: token, reason: 'token_revoked' }]);
    const [message] = server.messages;
    const disconnection = { reason: 'token_revoked', contatto: null };
    expect(message).toMatchObject({ type: 'disconnected', disconnection });
    expect(message?.type === 'disconnected' && message.session_ids.toSorted()).toEqual(ids.toSorted());
  });
});

test('disconnects the holders of a deleted code, which the history still shows', async () => {
  const { id, token } = await makeCode(server);
  const { session_id } = await enterOrThrow(server, token);
  expect(await remove(id)).toEqual({ bin: expect.any(String) });
  expect(await list()).toEqual([]);
  const reason = 'token_deleted';
  expect(await sessionRow(server, session_id)).toMatchObject({
    is_active: false,
    disconnection_reason: reason,
    token_value: token,
  });
  expect(await events('forced_disconnect')).toMatchObject([{ token_value: token, session_id, reason }]);
  const disconnection = { reason, contatto: null };
  expect(server.messages).toContainEqual({
    type: 'disconnected',
    session_ids: [session_id],
    disconnection,
  });
  expect(await remove(id)).toEqual({ refused: 'NOT_FOUND' });
});

describe('added access', () => {
  test('admits one more visitor, a million at most', async () => {
    const token = await makeCode(server);
    await enterOrThrow(server, token.token);
    expect(await entryResult(server, token.token)).toBe('CODE_EXHAUSTED');
    expect(await more(token)).toEqual({ ...token, max_accessi: 2, accessi_usati: 1 });
    await enterOrThrow(server, token.token);
    expect(await entryResult(server, token.token)).toBe('CODE_EXHAUSTED');
    for (const max_accessi of [MAX_ACCESSES - 1, MAX_ACCESSES])
      expect(await more(await makeCode(server, { max_accessi }))).toMatchObject({
        max_accessi: MAX_ACCESSES,
      });
  });

  test('is added once for ten concurrent requests with the number last seen, like an extension', async () => {
    const token = await makeCode(server);
    const scadenza = later(40 * DAY);
    const ten = Array.from({ length: 10 });
    for (const answer of await Promise.all(ten.map(() => more(token))))
      expect(answer).toMatchObject({ max_accessi: 2 });
    for (const answer of await Promise.all(ten.map(() => extend(token, 10))))
      expect(answer).toMatchObject({ scadenza });
  });
});

describe('extension', () => {
  test('counts from the expiry if it is ahead, else from now, and changes nothing for a stale expiry', async () => {
    const token = await makeCode(server, { giorni: 5 });
    const first = await extend(token, 7);
    expect(first).toEqual({ ...token, scadenza: later(12 * DAY) });
    for (const scadenza of [token.scadenza, null])
      expect(await extend({ ...token, scadenza }, 7)).toEqual(first);
    const short = await makeCode(server, { giorni: 1 });
    server.clock.advance(3 * DAY);
    expect(await entryResult(server, short.token)).toBe('CODE_EXPIRED');
    expect(await extend(short, 2)).toMatchObject({ scadenza: later(2 * DAY) });
    await enterOrThrow(server, short.token);
  });

  test('leaves a code that never expires unchanged, and an expiry that can still be compared', async () => {
    const token = await makeCode(server, { giorni: null });
    for (const scadenza of [null, later(0)])
      expect(await extend({ ...token, scadenza }, 7)).toEqual({ ...token, scadenza: null });
    const far = '9999-12-01T00:00:00.000Z';
    await server.deps.db.updateTable('tokens').set({ scadenza: far }).execute();
    const extended = await extend({ ...token, scadenza: far }, 3_650);
    expect(extended).toMatchObject({ scadenza: '9999-12-31T23:59:59.999Z' });
    await enterOrThrow(server, token.token);
  });
});

test('extends a revoked code, which stays revoked, and refuses a missing one', async () => {
  const token = await makeCode(server);
  await switchTo(token.id, false);
  expect(await more(token)).toMatchObject({ attivo: false, max_accessi: 2 });
  expect(await extend(token, 1)).toMatchObject({ attivo: false });
  expect(await entryResult(server, token.token)).toBe('CODE_INVALID');
  const none = { ...token, id: NOBODY };
  for (const answer of [more(none), extend(none, 1), switchTo(NOBODY, true), remove(NOBODY)])
    expect(await answer).toEqual({ refused: 'NOT_FOUND' });
});
