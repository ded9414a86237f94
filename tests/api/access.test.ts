import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Entered } from '../../src/server/features/access/entry.ts';
import { removeToken, setTokenActive } from '../../src/server/features/tokens/tokens.service.ts';
import { giveAnswers } from '../../src/server/features/visit/answers.service.ts';
import { trackUserExit } from '../../src/server/features/visit/presence.service.ts';
import { sweepSessions } from '../../src/server/features/visit/sessions.service.ts';
import { complete, resume } from '../../src/server/features/visit/visit.service.ts';
import { isRefused } from '../../src/server/refused.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer } from '../support/deps.ts';
import { NO_SECOND_TRIP } from '../support/evenings.ts';
import { checkLaws } from '../support/laws.ts';
import { useServer } from '../support/suites.ts';
import {
  comeIn,
  configure,
  holderOf,
  makeCode,
  stepIndex,
  tryToEnter,
  visitorOf,
  walkTo,
} from '../support/visits.ts';

const DAY = 24 * 3_600_000;

const server = useServer(sqliteDatabase);

const rows = (table: 'access_logs' | 'event_logs' | 'notifications') =>
  server.deps.db.selectFrom(table).selectAll().orderBy('created_at').execute();
const sessionOf = (id: string) =>
  server.deps.db.selectFrom('active_sessions').selectAll().where('id', '=', id).executeTakeFirst();
const usesOf = async (id: string) => {
  const found = await server.deps.db
    .selectFrom('tokens')
    .select('accessi_usati')
    .where('id', '=', id)
    .executeTakeFirst();
  return found?.accessi_usati;
};
const refusalOf = async (token: string, changes = {}) => {
  const result = await tryToEnter(server, token, changes);
  return isRefused(result) ? result.refused : 'entered';
};

test('a code opens a visit, counts one use and leaves its trace', async () => {
  const { id, token } = await makeCode(server);
  const typed = ` ${token.toLowerCase().replace('-', ' ')}!`;
  const device_id = 'device-1700000000-abc';
  const entered = await comeIn(server, typed, { device_id, capabilities: ['in_app', 'storage'] });
  expect(entered).toMatchObject({ token_id: id, token_value: token, resumed: false });
  expect(entered.secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(await usesOf(id)).toBe(1);
  const session = await sessionOf(entered.session_id);
  expect(session).toMatchObject({
    is_active: true,
    device_id,
    user_agent: 'Mozilla/5.0 (iPhone)',
    token_value: token,
    capabilities: 'in_app storage',
  });
  expect(JSON.stringify(session)).not.toContain(entered.secret);
  expect(await rows('access_logs')).toMatchObject([
    { token_id: id, token_value: token, success: true, error_message: null },
  ]);
  const events = await server.deps.db
    .selectFrom('event_logs')
    .selectAll()
    .where('token_id', '=', id)
    .execute();
  const kinds = events.map(({ event_type }) => event_type).toSorted();
  expect(kinds).toEqual(['access_granted', 'session_started', 'token_created']);
  const granted = events.find(({ event_type }) => event_type === 'access_granted');
  expect(JSON.parse(granted?.metadata ?? '')).toEqual({ session_id: entered.session_id });
  const [notification] = await server.deps.db.selectFrom('notifications').selectAll().execute();
  expect(JSON.parse(notification?.payload ?? '')).toEqual({
    type: 'access',
    token_value: token,
    success: true,
    device_id,
    nome: 'Per lei',
  });
  expect(server.messages).toContainEqual({ type: 'changed', topics: ['sessions', 'logs', 'tokens'] });
});

test('each refusal has its code, its log, its event and its notification', async () => {
  const expired = await makeCode(server, { giorni: 1 });
  const used = await makeCode(server);
  const revoked = await makeCode(server);
  await comeIn(server, used.token);
  await setTokenActive(server.deps, server.actor, { id: revoked.id, attivo: false });
  server.clock.advance(DAY);
  await sweepSessions(server.deps);
  const long = 'A'.repeat(5_000);
  const cases = [
    [expired.token, 'CODE_EXPIRED', 'Codice scaduto', 'token_expired', 'access', expired.token],
    [
      used.token,
      'CODE_EXHAUSTED',
      'Codice già utilizzato il numero massimo di volte',
      'token_exhausted',
      'access_exceeded',
      used.token,
    ],
    [revoked.token, 'CODE_INVALID', 'Token non valido', 'token_revoked', 'access', revoked.token],
    [
      'rom-qualcosa<script>',
      'CODE_INVALID',
      'Token non valido',
      'token_unknown',
      'access',
      'ROMQUALCOSASCRIPT',
    ],
    [long, 'CODE_INVALID', 'Token non valido', 'token_unknown', 'access', long.slice(0, 64)],
  ] as const;
  for (const [typed, refused, error_message, reason, type, token_value] of cases) {
    server.clock.advance(1_000);
    expect(await refusalOf(typed)).toBe(refused);
    const at = server.clock.now().toISOString();
    const last = (table: 'access_logs' | 'event_logs' | 'notifications') =>
      server.deps.db.selectFrom(table).selectAll().where('created_at', '=', at).executeTakeFirstOrThrow();
    expect(await last('access_logs')).toMatchObject({ token_value, success: false, error_message });
    const event = (await last('event_logs')) as { metadata: string };
    expect(event).toMatchObject({
      event_type: 'access_denied',
      success: false,
      token_value,
      error_message,
    });
    expect(JSON.parse(event.metadata)).toEqual({ reason });
    const told = (await last('notifications')) as { payload: string };
    expect(JSON.parse(told.payload)).toEqual({ type, token_value, success: false, error_message });
  }
});

test('nothing typed, or nothing of a code in it, is no try', async () => {
  for (const token of ['', '   ', '—!?', '🎁', 'д']) {
    for (let times = 0; times < 8; times += 1)
      expect(await refusalOf(token, { address: '192.0.2.9' })).toBe('CODE_EMPTY');
  }
  // Once a minute such a try is written down: see access-limits.test.ts.
  expect(await rows('access_logs')).toMatchObject([{ error_message: 'Nessun codice scritto' }]);
});

test('an entry that got lost is the same entry when it is asked again', async () => {
  const { id, token } = await makeCode(server);
  const same = { attempt_id: randomUUID(), device_id: 'device-1-a' };
  const first = await comeIn(server, token, same);
  server.clock.advance(9 * 60_000);
  const again = await comeIn(server, token, same);
  expect(again).toMatchObject({ session_id: first.session_id, resumed: false });
  expect(again.secret).toBe(first.secret);
  expect((await visitorOf(server, again.secret)).id).toBe(first.session_id);
  expect(await usesOf(id)).toBe(1);
});

test('an entry carried out after its repetition was answered leaves that answer its cookie', async () => {
  const { id, token } = await makeCode(server);
  const same = { attempt_id: randomUUID(), device_id: 'device-1-a' };
  const both = await Promise.all([comeIn(server, token, same), comeIn(server, token, same)]);
  for (const { secret, session_id } of both) expect((await visitorOf(server, secret)).id).toBe(session_id);
  const elsewhere = await comeIn(server, token, { ...same, attempt_id: randomUUID() });
  expect(elsewhere).toMatchObject({ session_id: both[0].session_id, resumed: true });
  expect(elsewhere.secret).not.toBe(both[0].secret);
  await expect(visitorOf(server, both[0].secret)).rejects.toThrow('NO_VISIT');
  expect(await usesOf(id)).toBe(1);
});

test('an attempt id opens nothing to a stranger', async () => {
  const one = await makeCode(server, { max_accessi: 5 });
  const other = await makeCode(server, { max_accessi: 5 });
  const same = { attempt_id: randomUUID(), device_id: 'device-1-a' };
  await comeIn(server, one.token, same);
  expect(await refusalOf(other.token, same)).toBe('ATTEMPT_CONFLICT');
  expect(await refusalOf('ROM-NESSUNO', same)).toBe('ATTEMPT_CONFLICT');
  expect(await refusalOf(one.token, { ...same, device_id: 'device-1-b' })).toBe('ATTEMPT_CONFLICT');
  server.clock.advance(10 * 60_000);
  expect(await refusalOf(one.token, same)).toBe('ATTEMPT_CONFLICT');
  expect([await usesOf(one.id), await usesOf(other.id)]).toEqual([1, 0]);
});

test('the same entry asked many times at once is one', async () => {
  const { id, token } = await makeCode(server, { max_accessi: 30 });
  const same = { attempt_id: randomUUID(), device_id: 'device-1-a', address: '192.0.2.1' };
  const results = await Promise.all(Array.from({ length: 20 }, () => comeIn(server, token, same)));
  expect(new Set(results.map(({ session_id }) => session_id)).size).toBe(1);
  expect(await usesOf(id)).toBe(1);
});

test('a double tap with two attempt ids on one device is one visit', async () => {
  const { id, token } = await makeCode(server, { max_accessi: 30 });
  const results = await Promise.all(
    Array.from({ length: 20 }, () => comeIn(server, token, { device_id: 'device-1-a' })),
  );
  expect(new Set(results.map(({ session_id }) => session_id)).size).toBe(1);
  expect(await usesOf(id)).toBe(1);
});

test('one attempt id for two codes at once lets in with one of them', async () => {
  for (let round = 0; round < 10; round += 1) {
    const codes = await Promise.all([makeCode(server), makeCode(server)]);
    const same = { attempt_id: randomUUID(), device_id: `device-1-${round}` };
    const results = await Promise.all(codes.map(({ token }) => refusalOf(token, same)));
    expect(results.toSorted()).toEqual(['ATTEMPT_CONFLICT', 'entered']);
    const uses = await Promise.all(codes.map(({ id }) => usesOf(id)));
    expect(new Set(uses)).toEqual(new Set([0, 1]));
    server.clock.advance(61_000);
    await sweepSessions(server.deps);
  }
});

test('the same code on the same device takes up the unfinished visit; elsewhere it is used up', async () => {
  const { id, token } = await makeCode(server);
  const first = await comeIn(server, token, { device_id: 'device-1-a' });
  await walkTo(server, first.secret, 2);
  await trackUserExit(server.deps, await holderOf(server, first.secret), {
    state: 'closed',
    exitPoint: 'during_post_phrases',
    seq: 0,
  });
  expect(await refusalOf(token)).toBe('CODE_EXHAUSTED');
  server.clock.advance(DAY - 1);
  const byDevice = await comeIn(server, token, { device_id: 'device-1-a' });
  expect(byDevice).toMatchObject({ session_id: first.session_id, resumed: true });
  expect((await visitorOf(server, byDevice.secret)).position.step).toBe(2);
  const byCookie = await comeIn(server, token, {
    device_id: 'device-1-new',
    visit_secret: byDevice.secret,
  });
  expect(byCookie).toMatchObject({ session_id: first.session_id, resumed: true });
  expect(await usesOf(id)).toBe(1);
  server.clock.advance(1);
  expect(await refusalOf(token, { device_id: 'device-1-a', visit_secret: byCookie.secret })).toBe(
    'CODE_EXHAUSTED',
  );
});

test('a finished visit is not taken up: entering again counts', async () => {
  await configure(server, NO_SECOND_TRIP);
  const { id, token } = await makeCode(server, { max_accessi: 2 });
  const same = { device_id: 'device-1-a' };
  const first = await comeIn(server, token, same);
  const visitor = await visitorOf(server, first.secret);
  await walkTo(server, first.secret, stepIndex(visitor, 'questions', 1));
  await giveAnswers(server.deps, visitor, { viaggio: 1, risposta_1: true, risposta_2: true });
  await walkTo(server, first.secret, visitor.steps.length - 1);
  expect(await complete(server.deps, visitor)).toEqual({ completed: true });
  const second = await comeIn(server, token, same);
  expect(second).toMatchObject({ resumed: false });
  expect(second.session_id).not.toBe(first.session_id);
  expect(await usesOf(id)).toBe(2);
});

test('expiry stops entering, not a visit under way', async () => {
  const { token } = await makeCode(server, { giorni: 1 });
  server.clock.advance(DAY - 1_000);
  const entered = await comeIn(server, token, { device_id: 'device-1-a' });
  server.clock.advance(2_000);
  expect(await resume(server.deps, await visitorOf(server, entered.secret))).toMatchObject({
    session_id: entered.session_id,
  });
  expect(await comeIn(server, token, { device_id: 'device-1-a' })).toMatchObject({ resumed: true });
  expect(await refusalOf(token)).toBe('CODE_EXPIRED');
});

test('a code that never expires opens after years', async () => {
  const { token, scadenza } = await makeCode(server, { giorni: null });
  expect(scadenza).toBeNull();
  server.clock.advance(3_000 * DAY);
  expect(await refusalOf(token)).toBe('entered');
});

test('revoked or deleted after entering: neither the same attempt nor the same device gets in', async () => {
  const revoked = await makeCode(server);
  const deleted = await makeCode(server);
  const attempts = await Promise.all(
    [revoked, deleted].map(async ({ token }) => {
      const same = { attempt_id: randomUUID(), device_id: `device-1-${token}` };
      await comeIn(server, token, same);
      return { token, same };
    }),
  );
  await setTokenActive(server.deps, server.actor, { id: revoked.id, attivo: false });
  await removeToken(server.deps, server.actor, { id: deleted.id });
  for (const { token, same } of attempts) {
    expect(await refusalOf(token, same)).toMatch(/^(CODE_INVALID|ATTEMPT_CONFLICT)$/);
    expect(await refusalOf(token, { device_id: same.device_id })).toBe('CODE_INVALID');
  }
});

test('a restored code takes up the visit that was cut, once the code is typed again', async () => {
  const { id, token } = await makeCode(server);
  const first = await comeIn(server, token, { device_id: 'device-1-a' });
  await setTokenActive(server.deps, server.actor, { id, attivo: false });
  await setTokenActive(server.deps, server.actor, { id, attivo: true });
  await expect(visitorOf(server, first.secret)).rejects.toThrow('DISCONNECTED');
  expect(await comeIn(server, token, { device_id: 'device-1-a' })).toMatchObject({
    session_id: first.session_id,
    resumed: true,
  });
  expect(await usesOf(id)).toBe(1);
});

test('another code on the same browser leaves the visit it was in', async () => {
  const [one, other] = await Promise.all([makeCode(server), makeCode(server)]);
  const first = await comeIn(server, one.token);
  const second = await comeIn(server, other.token, { visit_secret: first.secret });
  expect(second.secret).not.toBe(first.secret);
  const left = await sessionOf(first.session_id);
  expect(left).toMatchObject({ is_active: false, disconnection_reason: 'user_logout' });
});

test('a secret brought along is never kept', async () => {
  const { token } = await makeCode(server);
  const entered = await comeIn(server, token, { visit_secret: 'A'.repeat(43) });
  expect(entered.secret).not.toBe('A'.repeat(43));
  await expect(visitorOf(server, 'A'.repeat(43))).rejects.toThrow('NO_VISIT');
});

test('a site that is closed or not ready says so and spends nothing', async () => {
  const { id, token } = await makeCode(server, { giorni: null });
  await configure(server, { data_laurea: '2027-02-12' });
  expect(await refusalOf(token)).toBe('entered');
  await configure(server, { data_laurea: '2027-02-11' });
  server.clock.advance(4 * 3_600_000);
  const another = await makeCode(server);
  expect(await refusalOf(another.token)).toBe('SITE_CLOSED');
  await configure(server, { data_laurea: null, video_url: null });
  for (let times = 0; times < 40; times += 1)
    expect(await refusalOf(another.token, { address: '192.0.2.7' })).toBe('VIDEO_MISSING');
  expect(await usesOf(another.id)).toBe(0);
  expect(await usesOf(id)).toBe(1);
  const told = await server.deps.db.selectFrom('notifications').select('payload').execute();
  expect(told.map(({ payload }) => JSON.parse(payload))).toContainEqual({
    type: 'access',
    success: false,
    error_message: "Video non ancora configurato dall'amministratore",
  });
});

test('without a configuration the visitor is told, and the administrator', async () => {
  const empty = await openTestServer(sqliteDatabase);
  const { token } = await makeCode(empty);
  expect(await tryToEnter(empty, token)).toEqual({ refused: 'CONFIG_MISSING' });
  const told = await empty.deps.db.selectFrom('notifications').selectAll().execute();
  expect(told.map(({ payload }) => JSON.parse(payload))).toEqual([
    {
      type: 'error',
      token_value: token,
      success: false,
      error_message: "Configurazione non trovata - Contatta l'amministratore",
    },
  ]);
  expect(await checkLaws(empty.deps.db, empty.clock.now())).toEqual([]);
  await empty.close();
});

test('revoking or deleting while many enter leaves nobody inside', async () => {
  for (let round = 0; round < 20; round += 1) {
    const { id, token } = await makeCode(server, { max_accessi: 100 });
    const before = Array.from({ length: 5 }, () => tryToEnter(server, token));
    const cut =
      round % 2 === 0
        ? setTokenActive(server.deps, server.actor, { id, attivo: false })
        : removeToken(server.deps, server.actor, { id });
    const after = Array.from({ length: 5 }, () => tryToEnter(server, token));
    const results = await Promise.all([...before, ...after]);
    await cut;
    for (const entered of results.filter((result): result is Entered => !isRefused(result))) {
      await expect(visitorOf(server, entered.secret)).rejects.toThrow('DISCONNECTED');
    }
    server.clock.advance(61_000);
    expect(await checkLaws(server.deps.db, server.clock.now())).toEqual([]);
  }
});
