import { expect, test } from 'vitest';
import { normalizeCode } from '../../src/domain/codes.ts';
import {
  createToken,
  listTokens,
  removeToken,
  setTokenActive,
} from '../../src/server/features/tokens/tokens.service.ts';
import { trackUserExit } from '../../src/server/features/visit/presence.service.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { useServer } from '../support/suites.ts';
import { comeIn, holderOf, makeCode } from '../support/visits.ts';

const DAY = 24 * 3_600_000;
const NOBODY = '00000000-0000-4000-8000-000000000000';

const server = useServer(sqliteDatabase);

const events = async (type: string) => {
  const found = await server.deps.db
    .selectFrom('event_logs')
    .selectAll()
    .where('event_type', '=', type)
    .execute();
  return found.map(({ token_value, metadata }) => ({ token_value, ...JSON.parse(metadata) }));
};
const session = (id: string) =>
  server.deps.db.selectFrom('active_sessions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const switchTo = (id: string, attivo: boolean) => setTokenActive(server.deps, server.actor, { id, attivo });

test('a new code has the defaults, its maker and its event', async () => {
  const made = await makeCode(server, { nome: '  Per lei  ' });
  expect(made).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    token: expect.stringMatching(/^ROM-[2-9A-HJKMNP-Z]{8}$/),
    nome: 'Per lei',
    max_accessi: 1,
    accessi_usati: 0,
    scadenza: new Date(server.clock.now().getTime() + 30 * DAY).toISOString(),
    attivo: true,
    created_by: 'admin-1',
    created_at: server.clock.now().toISOString(),
  });
  expect(await events('token_created')).toEqual([{ token_value: made.token }]);
});

test('a name is required', async () => {
  for (const nome of ['', '   ', '\n\t'])
    expect(await createToken(server.deps, server.actor, { nome })).toEqual({ refused: 'NAME_REQUIRED' });
  expect(await listTokens(server.deps, server.actor)).toEqual([]);
  expect(await events('token_created')).toEqual([]);
});

test('the list has the newest first', async () => {
  const made = [];
  for (let n = 0; n < 5; n += 1) {
    server.clock.advance(1_000);
    made.unshift(
      await makeCode(server, { nome: `Codice ${n}`, max_accessi: n + 1, giorni: n === 0 ? null : n }),
    );
  }
  expect(await listTokens(server.deps, server.actor)).toEqual(made);
});

test('a code that exists is drawn again', async () => {
  const first = await createToken(server.deps, server.actor, { nome: 'a' }, () => 0);
  expect(first).toMatchObject({ token: 'ROM-22222222' });
  let drawn = 0;
  const second = await createToken(server.deps, server.actor, { nome: 'b' }, () => (drawn++ < 16 ? 0 : 1));
  expect(second).toMatchObject({ token: 'ROM-33333333' });
  expect(await events('token_created')).toHaveLength(2);
  await expect(createToken(server.deps, server.actor, { nome: 'c' }, () => 0)).rejects.toThrow('10 codes');
  expect(await listTokens(server.deps, server.actor)).toHaveLength(2);
});

test('two hundred codes at once are all different', async () => {
  const made = [];
  for (let batch = 0; batch < 5; batch += 1)
    made.push(...(await Promise.all(Array.from({ length: 40 }, () => makeCode(server)))));
  expect(new Set(made.map(({ token }) => normalizeCode(token))).size).toBe(200);
});

test('revoking cuts every holder at once and is logged once for each', async () => {
  const { id, token } = await makeCode(server, { max_accessi: 5 });
  const other = await makeCode(server);
  const holders = [
    await comeIn(server, token),
    await comeIn(server, token),
    await comeIn(server, token),
  ] as const;
  const stranger = await comeIn(server, other.token);
  const [here, away, silent] = [holders[0].session_id, holders[1].session_id, holders[2].session_id];
  await trackUserExit(server.deps, await holderOf(server, holders[1].secret), {
    state: 'closed',
    exitPoint: 'during_pre_phrases',
    seq: 0,
  });
  server.messages.length = 0;
  expect(await switchTo(id, false)).toMatchObject({ id, attivo: false, accessi_usati: 3 });
  expect(await session(here)).toMatchObject({ is_active: false, disconnection_reason: 'token_revoked' });
  expect(await session(away)).toMatchObject({ is_active: false, disconnection_reason: 'token_revoked' });
  expect(await session(stranger.session_id)).toMatchObject({ is_active: true });
  const cut = await events('forced_disconnect');
  expect(new Set(cut.map(({ session_id }) => session_id))).toEqual(new Set([here, silent]));
  expect(cut[0]).toMatchObject({ token_value: token, reason: 'token_revoked' });
  expect(await events('token_revoked')).toEqual([{ token_value: token, reason: 'token_revoked' }]);
  const [message] = server.messages;
  expect(message).toMatchObject({
    type: 'disconnected',
    disconnection: { reason: 'token_revoked', contatto: null },
  });
  expect(message?.type === 'disconnected' && new Set(message.session_ids)).toEqual(
    new Set([here, away, silent]),
  );
  expect(await switchTo(id, false)).toMatchObject({ attivo: false });
  expect([await events('token_revoked'), await events('forced_disconnect')]).toMatchObject({
    0: { length: 1 },
    1: { length: 2 },
  });
});

test('restoring opens the code, keeps its count and logs no revocation', async () => {
  const { id, token } = await makeCode(server, { max_accessi: 2 });
  await comeIn(server, token);
  await switchTo(id, false);
  expect(await switchTo(id, true)).toMatchObject({ attivo: true, accessi_usati: 1 });
  expect(await comeIn(server, token)).toMatchObject({ resumed: false });
  expect(await events('token_revoked')).toHaveLength(1);
});

test('deleting cuts the holders; the history keeps the code', async () => {
  const { id, token } = await makeCode(server);
  const { session_id } = await comeIn(server, token);
  expect(await removeToken(server.deps, server.actor, { id })).toEqual({ bin: expect.any(String) });
  expect(await listTokens(server.deps, server.actor)).toEqual([]);
  expect(await session(session_id)).toMatchObject({
    is_active: false,
    disconnection_reason: 'token_deleted',
    token_value: token,
  });
  expect(await events('forced_disconnect')).toMatchObject([
    { token_value: token, session_id, reason: 'token_deleted' },
  ]);
  const disconnection = { reason: 'token_deleted', contatto: null };
  expect(server.messages).toContainEqual({
    type: 'disconnected',
    session_ids: [session_id],
    disconnection,
  });
  expect(await removeToken(server.deps, server.actor, { id })).toEqual({ refused: 'NOT_FOUND' });
});

test('deleted after being revoked, the reason is the last one', async () => {
  const { id, token } = await makeCode(server);
  const { session_id } = await comeIn(server, token);
  await switchTo(id, false);
  await removeToken(server.deps, server.actor, { id });
  expect(await session(session_id)).toMatchObject({ disconnection_reason: 'token_deleted' });
  expect(await events('forced_disconnect')).toHaveLength(1);
});

test('what isn’t there is not found', async () => {
  expect(await switchTo(NOBODY, true)).toEqual({ refused: 'NOT_FOUND' });
  expect(await removeToken(server.deps, server.actor, { id: NOBODY })).toEqual({ refused: 'NOT_FOUND' });
});

test('revoked by ten at once, it is revoked once', async () => {
  const { id, token } = await makeCode(server);
  await comeIn(server, token);
  await Promise.all(Array.from({ length: 10 }, () => switchTo(id, false)));
  expect(await events('token_revoked')).toHaveLength(1);
  expect(await events('forced_disconnect')).toHaveLength(1);
});
