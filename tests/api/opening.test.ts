import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { setTokenActive } from '../../src/server/features/tokens/tokens.service.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { useServer } from '../support/suites.ts';
import { comeIn, configure, makeCode, tryToEnter } from '../support/visits.ts';

/** An evening that opens at a moment (decision 062). */

const DAY = 24 * 3_600_000;

const server = useServer(sqliteDatabase);

const rows = (table: 'access_logs' | 'event_logs' | 'notifications') =>
  server.deps.db.selectFrom(table).selectAll().orderBy('created_at').execute();
const usesOf = async (id: string) =>
  (
    await server.deps.db
      .selectFrom('tokens')
      .select('accessi_usati')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).accessi_usati;
const outcomeOf = async (token: string) => {
  const result = await tryToEnter(server, token);
  return 'refused' in result ? result.refused : 'entered';
};
const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(server.clock.now().getTime() + hours * HOUR).toISOString();
const told = async () =>
  (await rows('notifications')).map(({ payload }) => JSON.parse(payload)).filter(({ success }) => !success);

test('a right code spends nothing, is no failed try, and hears when; at its hour it opens', async () => {
  const opens_at = inHours(2);
  await configure(server, { opens_at });
  const { id, token } = await makeCode(server);
  const attempt = { address: '192.0.2.9', device_id: 'device-1-early', attempt_id: randomUUID() };
  for (let times = 0; times < 40; times += 1)
    expect(await tryToEnter(server, token, attempt)).toEqual({
      refused: 'TOO_EARLY',
      opens_at,
      secondi: 7_200,
    });
  expect(await usesOf(id)).toBe(0);
  server.clock.advance(2 * HOUR - 1);
  expect(await tryToEnter(server, token, attempt)).toMatchObject({ refused: 'TOO_EARLY', secondi: 1 });
  server.clock.advance(1);
  expect(await comeIn(server, token, attempt)).toMatchObject({ resumed: false });
  expect(await comeIn(server, token, attempt)).toMatchObject({ resumed: false });
  expect(await usesOf(id)).toBe(1);
});

test('it is logged and told once for each device, in words, however often its page asks', async () => {
  await configure(server, { opens_at: inHours(20) });
  const { token } = await makeCode(server);
  const asks = (device_id: string) => tryToEnter(server, token, { device_id });
  for (const device_id of ['device-1-a', 'device-1-a', 'device-1-b', 'device-1-a']) {
    await asks(device_id);
    server.clock.advance(60_000);
  }
  const words = 'Troppo presto: la serata non è ancora aperta';
  const denied = { token_value: token, success: false, error_message: words };
  expect(await rows('access_logs')).toMatchObject([denied, denied]);
  expect((await rows('event_logs')).filter(({ event_type }) => event_type === 'access_denied')).toMatchObject(
    [
      { ...denied, device_id: 'device-1-a', metadata: '{"reason":"too_early"}' },
      { ...denied, device_id: 'device-1-b' },
    ],
  );
  expect(await told()).toHaveLength(2);
  server.clock.advance(13 * HOUR);
  await asks('device-1-a');
  expect(await told()).toHaveLength(3);
});

test('who has no right code learns nothing of it, and a closed site stays closed', async () => {
  const [revoked, expired, used] = await Promise.all([
    makeCode(server),
    makeCode(server, { giorni: 1 }),
    makeCode(server, { giorni: null }),
  ]);
  await setTokenActive(server.deps, server.actor, { id: revoked.id, attivo: false });
  await comeIn(server, used.token);
  server.clock.advance(2 * DAY);
  await configure(server, { opens_at: inHours(2) });
  expect(await tryToEnter(server, 'ROM-NESSUNO1')).toEqual({ refused: 'CODE_INVALID' });
  expect(await tryToEnter(server, revoked.token)).toEqual({ refused: 'CODE_INVALID' });
  expect(await tryToEnter(server, expired.token)).toEqual({ refused: 'CODE_EXPIRED' });
  expect(await tryToEnter(server, used.token)).toEqual({ refused: 'CODE_EXHAUSTED' });
  await configure(server, { opens_at: inHours(2), data_laurea: '2020-07-01' });
  const { token } = await makeCode(server);
  expect(await tryToEnter(server, token)).toEqual({ refused: 'SITE_CLOSED' });
});

test('a visit that is under way goes on', async () => {
  const { id, token } = await makeCode(server);
  const device_id = 'device-1-inside';
  const { session_id, secret } = await comeIn(server, token, { device_id });
  await configure(server, { opens_at: inHours(2) });
  expect(await comeIn(server, token, { device_id, visit_secret: secret })).toMatchObject({
    session_id,
    resumed: true,
  });
  expect(await usesOf(id)).toBe(1);
});

test('an opening that is moved or taken away counts from then on', async () => {
  await configure(server, { opens_at: inHours(20) });
  const { token } = await makeCode(server);
  expect(await outcomeOf(token)).toBe('TOO_EARLY');
  await configure(server, { opens_at: inHours(1) });
  expect(await tryToEnter(server, token)).toMatchObject({ refused: 'TOO_EARLY', secondi: 3_600 });
  await configure(server, { opens_at: inHours(-1) });
  expect(await outcomeOf(token)).toBe('entered');
  const another = await makeCode(server);
  await configure(server, { opens_at: inHours(1) });
  expect(await outcomeOf(another.token)).toBe('TOO_EARLY');
  await configure(server, { opens_at: null });
  expect(await outcomeOf(another.token)).toBe('entered');
});
