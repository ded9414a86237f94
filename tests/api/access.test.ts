import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { removeToken, setTokenActive } from '../../src/server/features/tokens/tokens.ts';
import { trackUserExit } from '../../src/server/features/visit/presence.ts';
import { sweepSessions } from '../../src/server/features/visit/sessions.ts';
import { complete, giveAnswers, resume } from '../../src/server/features/visit/visit.ts';
import { isRefused } from '../../src/server/refused.ts';
import { deniedMessages } from '../../src/texts/errors.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer } from '../support/deps.ts';
import { NO_SECOND_TRIP } from '../support/evenings.ts';
import { checkInvariants } from '../support/invariants.ts';
import { entryResult, eventsOf, noticesOf, rowsOf, sessionRow, usesOf } from '../support/product.ts';
import { useServer } from '../support/suites.ts';
import {
  attemptEntry,
  configure,
  enterOrThrow,
  holderOf,
  makeCode,
  stepIndex,
  visitorOf,
  walkTo,
} from '../support/visits.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const HERE = { device_id: 'device-1-a' };

const server = useServer(sqliteDatabase);

const switchTo = (id: string, attivo: boolean) => setTokenActive(server.ctx, { id, attivo });
const remove = (id: string) => removeToken(server.ctx, { id });
const sameAttempt = (device_id = HERE.device_id) => ({ attempt_id: randomUUID(), device_id });

test('opens a visit, counts one use and records the entry', async () => {
  const { id, token } = await makeCode(server);
  const typed = ` ${token.toLowerCase().replace('-', ' ')}!`;
  const entered = await enterOrThrow(server, typed, { ...HERE, capabilities: ['in_app', 'storage'] });
  expect(entered).toMatchObject({ token_id: id, token_value: token, resumed: false });
  expect(entered.secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(await usesOf(server, id)).toBe(1);
  const session = await sessionRow(server, entered.session_id);
  expect(session).toMatchObject({
    ...HERE,
    is_active: true,
    user_agent: 'Mozilla/5.0 (iPhone)',
    token_value: token,
    capabilities: 'in_app storage',
  });
  expect(JSON.stringify(session)).not.toContain(entered.secret);
  expect(await rowsOf(server, 'access_logs')).toMatchObject([
    { token_id: id, token_value: token, success: true, error_message: null },
  ]);
  const events = (await rowsOf(server, 'event_logs')).filter(({ token_id }) => token_id === id);
  const kinds = events.map(({ event_type }) => event_type).toSorted();
  expect(kinds).toEqual(['access_granted', 'session_started', 'token_created']);
  expect(await eventsOf(server, 'access_granted')).toEqual([{ session_id: entered.session_id }]);
  const notice = { type: 'access', token_value: token, success: true, ...HERE, nome: 'Per lei' };
  expect(await noticesOf(server)).toEqual([notice]);
});

test('records each denial with its code, log row, event and notification', async () => {
  const [expired, used, revoked] = await Promise.all([
    makeCode(server, { giorni: 1 }),
    makeCode(server),
    makeCode(server),
  ]);
  await enterOrThrow(server, used.token);
  await switchTo(revoked.id, false);
  server.clock.advance(DAY);
  await sweepSessions(server.deps);
  const cases = [
    [expired.token, expired.token, 'CODE_EXPIRED', 'token_expired'],
    [used.token, used.token, 'CODE_EXHAUSTED', 'token_exhausted'],
    [revoked.token, revoked.token, 'CODE_INVALID', 'token_revoked'],
    ['Codice: rom-qualcosa ❤️', 'ROMQUALCOSA', 'CODE_INVALID', 'token_unknown'],
    ['A'.repeat(5_000), 'A'.repeat(64), 'CODE_INVALID', 'token_unknown'],
  ] as const;
  for (const [typed, token_value, refused, reason] of cases) {
    server.clock.advance(1_000);
    expect(await entryResult(server, typed)).toBe(refused);
    const denied = { token_value, success: false, error_message: deniedMessages[reason] };
    const now = server.clock.now().toISOString();
    const last = async (table: Parameters<typeof rowsOf>[1]) =>
      (await rowsOf(server, table)).filter(({ created_at }) => created_at === now);
    expect(await last('access_logs')).toMatchObject([denied]);
    expect(await last('event_logs')).toMatchObject([
      { ...denied, event_type: 'access_denied', metadata: JSON.stringify({ reason }) },
    ]);
    const type = reason === 'token_exhausted' ? 'access_exceeded' : 'access';
    expect((await noticesOf(server)).at(-1)).toEqual({ type, ...denied });
  }
});

describe('entry attempt', () => {
  test('returns the same visit with the same cookie when it is repeated within ten minutes', async () => {
    const { id, token } = await makeCode(server);
    const same = sameAttempt();
    const [first, parallel] = await Promise.all([
      enterOrThrow(server, token, same),
      enterOrThrow(server, token, same),
    ]);
    server.clock.advance(10 * 60_000 - 1);
    const again = await enterOrThrow(server, token, same);
    expect(again).toMatchObject({ session_id: first.session_id, resumed: false, secret: first.secret });
    for (const { secret } of [first, parallel, again])
      expect((await visitorOf(server, secret)).id).toBe(first.session_id);
    server.clock.advance(1);
    expect(await entryResult(server, token, same)).toBe('ATTEMPT_CONFLICT');
    const elsewhere = await enterOrThrow(server, token, sameAttempt());
    expect(elsewhere).toMatchObject({ session_id: first.session_id, resumed: true });
    expect(elsewhere.secret).not.toBe(first.secret);
    await expect(visitorOf(server, first.secret)).rejects.toThrow('NO_VISIT');
    expect(await usesOf(server, id)).toBe(1);
  });

  test('admits no stranger by an attempt id', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => makeCode(server, { max_accessi: 5 })));
    const same = sameAttempt();
    await enterOrThrow(server, one?.token ?? '', same);
    for (const [token, changes] of [
      [other?.token, same],
      ['ROM-NESSUNO', same],
      [one?.token, { ...same, device_id: 'device-1-b' }],
    ] as const)
      expect(await entryResult(server, token ?? '', changes)).toBe('ATTEMPT_CONFLICT');
    expect([await usesOf(server, one?.id ?? ''), await usesOf(server, other?.id ?? '')]).toEqual([1, 0]);
  });

  test.each([
    ['with one attempt id', () => ({ ...sameAttempt(), address: '192.0.2.1' })],
    ['tapped twice, on one device', () => ({ ...HERE })],
  ])('creates one visit for twenty concurrent requests %s', async (_how, changes) => {
    const { id, token } = await makeCode(server, { max_accessi: 30 });
    const same = changes();
    const all = await Promise.all(Array.from({ length: 20 }, () => enterOrThrow(server, token, same)));
    expect(new Set(all.map(({ session_id }) => session_id)).size).toBe(1);
    expect(await usesOf(server, id)).toBe(1);
  });
});

describe('started visit', () => {
  test('resumes with the same code on the same device for a day; elsewhere the code is used up', async () => {
    const { id, token } = await makeCode(server);
    const first = await enterOrThrow(server, token, HERE);
    await walkTo(server, first.secret, 2);
    const left = { state: 'closed', exitPoint: 'during_post_phrases', seq: 0 } as const;
    await trackUserExit({ ...server.deps, holder: await holderOf(server, first.secret) }, left);
    expect(await entryResult(server, token)).toBe('CODE_EXHAUSTED');
    server.clock.advance(DAY - 1);
    const byDevice = await enterOrThrow(server, token, HERE);
    expect(byDevice).toMatchObject({ session_id: first.session_id, resumed: true });
    expect((await visitorOf(server, byDevice.secret)).position.step).toBe(2);
    const cookie = { device_id: 'device-1-new', visit_secret: byDevice.secret };
    const byCookie = await enterOrThrow(server, token, cookie);
    expect(byCookie).toMatchObject({ session_id: first.session_id, resumed: true });
    expect(await usesOf(server, id)).toBe(1);
    server.clock.advance(1);
    expect(await entryResult(server, token, { ...HERE, visit_secret: byCookie.secret })).toBe(
      'CODE_EXHAUSTED',
    );
  });

  test('counts a new use once the visit is finished', async () => {
    await configure(server, NO_SECOND_TRIP);
    const { id, token } = await makeCode(server, { max_accessi: 2 });
    const first = await enterOrThrow(server, token, HERE);
    const visitor = await visitorOf(server, first.secret);
    await walkTo(server, first.secret, stepIndex(visitor, 'questions', 1));
    await giveAnswers({ ...server.deps, visitor }, { viaggio: 1, risposta_1: true, risposta_2: true });
    await walkTo(server, first.secret, visitor.steps.length - 1);
    expect(await complete({ ...server.deps, visitor }, {})).toEqual({ completed: true });
    const second = await enterOrThrow(server, token, HERE);
    expect(second.resumed).toBe(false);
    expect(second.session_id).not.toBe(first.session_id);
    expect(await usesOf(server, id)).toBe(2);
  });

  test('continues after its code expired and after the opening time was moved', async () => {
    const { token } = await makeCode(server, { giorni: 1 });
    server.clock.advance(DAY - 1_000);
    const { session_id, secret } = await enterOrThrow(server, token, HERE);
    server.clock.advance(2_000);
    await configure(server, { opens_at: new Date(server.clock.now().getTime() + HOUR).toISOString() });
    expect(await resume({ ...server.deps, visitor: await visitorOf(server, secret) }, {})).toMatchObject({
      session_id,
    });
    expect(await enterOrThrow(server, token, HERE)).toMatchObject({ session_id, resumed: true });
    expect(await entryResult(server, token)).toBe('CODE_EXPIRED');
  });

  test('refuses the same attempt and the same device once its code is revoked or deleted', async () => {
    for (const cut of [(id: string) => switchTo(id, false), remove]) {
      const { id, token } = await makeCode(server);
      const same = sameAttempt(`device-1-${token}`);
      await enterOrThrow(server, token, same);
      await cut(id);
      expect(await entryResult(server, token, same)).toMatch(/^(CODE_INVALID|ATTEMPT_CONFLICT)$/);
      expect(await entryResult(server, token, { device_id: same.device_id })).toBe('CODE_INVALID');
    }
  });

  test('resumes with a restored code once it is typed again', async () => {
    const { id, token } = await makeCode(server);
    const { session_id, secret } = await enterOrThrow(server, token, HERE);
    for (const attivo of [false, true]) await switchTo(id, attivo);
    await expect(visitorOf(server, secret)).rejects.toThrow('DISCONNECTED');
    expect(await enterOrThrow(server, token, HERE)).toMatchObject({ session_id, resumed: true });
    expect(await usesOf(server, id)).toBe(1);
  });

  test('ends when another code is entered in the same browser, and never adopts a secret sent by the client', async () => {
    const [one, other] = await Promise.all([makeCode(server), makeCode(server)]);
    const first = await enterOrThrow(server, one.token, { visit_secret: 'A'.repeat(43) });
    await expect(visitorOf(server, 'A'.repeat(43))).rejects.toThrow('NO_VISIT');
    const second = await enterOrThrow(server, other.token, { visit_secret: first.secret });
    expect(new Set([first.secret, second.secret, 'A'.repeat(43)]).size).toBe(3);
    const left = { is_active: false, disconnection_reason: 'user_logout' };
    expect(await sessionRow(server, first.session_id)).toMatchObject(left);
  });

  test('disconnects every visit of a code revoked or deleted during concurrent entries', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { id, token } = await makeCode(server, { max_accessi: 100 });
      const before = Array.from({ length: 5 }, () => attemptEntry(server, token));
      const cut = round % 2 === 0 ? switchTo(id, false) : remove(id);
      const after = Array.from({ length: 5 }, () => attemptEntry(server, token));
      const results = await Promise.all([...before, ...after]);
      await cut;
      for (const secret of results.flatMap((result) => (isRefused(result) ? [] : [result.secret])))
        await expect(visitorOf(server, secret)).rejects.toThrow('DISCONNECTED');
      expect(await checkInvariants(server.deps.db, server.clock.now())).toEqual([]);
    }
  });
});

describe('site that is closed or not ready', () => {
  test('refuses with the reason and spends no use', async () => {
    const { id, token, scadenza } = await makeCode(server, { giorni: null });
    expect(scadenza).toBeNull();
    await configure(server, { data_laurea: '2027-02-12' });
    expect(await entryResult(server, token)).toBe('entered');
    await configure(server, { data_laurea: '2027-02-11' });
    server.clock.advance(4 * HOUR);
    const another = await makeCode(server, { giorni: null });
    expect(await entryResult(server, another.token)).toBe('SITE_CLOSED');
    await configure(server, { data_laurea: null, video_url: null });
    for (let times = 0; times < 40; times += 1)
      expect(await entryResult(server, another.token, { address: '192.0.2.7' })).toBe('VIDEO_MISSING');
    expect([await usesOf(server, another.id), await usesOf(server, id)]).toEqual([0, 1]);
    expect(await noticesOf(server)).toContainEqual({
      type: 'access',
      success: false,
      error_message: "Video non ancora configurato dall'amministratore",
    });
    await configure(server);
    server.clock.advance(3_000 * DAY);
    expect(await entryResult(server, another.token)).toBe('entered');
  });

  test('reports a missing configuration to the visitor and to the administrator', async () => {
    const empty = await openTestServer(sqliteDatabase);
    const { token } = await makeCode(empty);
    expect(await attemptEntry(empty, token)).toEqual({ refused: 'CONFIG_MISSING' });
    const error_message = "Configurazione non trovata - Contatta l'amministratore";
    expect(await noticesOf(empty)).toEqual([
      { type: 'error', token_value: token, success: false, error_message },
    ]);
    expect(await checkInvariants(empty.deps.db, empty.clock.now())).toEqual([]);
    await empty.close();
  });
});

describe('opening time (decision 004)', () => {
  const inHours = (hours: number) => new Date(server.clock.now().getTime() + hours * HOUR).toISOString();

  test('refuses a correct code before it without spending a use, states the time, and admits from then on', async () => {
    const opens_at = inHours(2);
    await configure(server, { opens_at });
    const { id, token } = await makeCode(server);
    const attempt = { ...sameAttempt(), address: '192.0.2.9' };
    const early = (secondi: number) => ({ refused: 'TOO_EARLY', opens_at, secondi });
    for (let times = 0; times < 40; times += 1)
      expect(await attemptEntry(server, token, attempt)).toEqual(early(7_200));
    expect(await usesOf(server, id)).toBe(0);
    server.clock.advance(2 * HOUR - 1);
    expect(await attemptEntry(server, token, attempt)).toEqual(early(1));
    server.clock.advance(1);
    for (let times = 0; times < 2; times += 1)
      expect(await enterOrThrow(server, token, attempt)).toMatchObject({ resumed: false });
    expect(await usesOf(server, id)).toBe(1);
  });

  test('notifies once in twelve hours per early device, regardless of how often its page asks', async () => {
    await configure(server, { opens_at: inHours(20) });
    const { token } = await makeCode(server);
    for (const device_id of ['device-1-a', 'device-1-a', 'device-1-b', 'device-1-a'])
      await attemptEntry(server, token, { device_id });
    const error_message = 'Troppo presto: la serata non è ancora aperta';
    const denied = { token_value: token, success: false, error_message };
    expect(await rowsOf(server, 'access_logs')).toMatchObject([denied, denied]);
    const reason = 'too_early';
    expect(await eventsOf(server, 'access_denied')).toEqual([{ reason }, { reason }]);
    expect(await noticesOf(server)).toHaveLength(2);
    server.clock.advance(12 * HOUR);
    await attemptEntry(server, token, HERE);
    expect(await noticesOf(server)).toHaveLength(3);
  });

  test('is not revealed without a valid code, and a closed site stays closed', async () => {
    const [revoked, used] = [await makeCode(server), await makeCode(server)];
    await switchTo(revoked.id, false);
    await enterOrThrow(server, used.token);
    await configure(server, { opens_at: inHours(2) });
    for (const wrong of ['ROM-NESSUNO1', revoked.token])
      expect(await entryResult(server, wrong)).toBe('CODE_INVALID');
    expect(await entryResult(server, used.token)).toBe('CODE_EXHAUSTED');
    await configure(server, { opens_at: inHours(2), data_laurea: '2020-07-01' });
    expect(await entryResult(server, (await makeCode(server)).token)).toBe('SITE_CLOSED');
  });
});
