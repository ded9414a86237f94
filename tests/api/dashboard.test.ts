import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { countVisit } from '../../src/server/event-log/events.repo.ts';
import { readDashboard } from '../../src/server/features/dashboard/dashboard.ts';
import { forgetFailedEntries } from '../../src/server/features/logs/refused-tries.ts';
import { listSessions } from '../../src/server/features/sessions/sessions.ts';
import { setTokenActive } from '../../src/server/features/tokens/tokens.ts';
import { sweepSessions } from '../../src/server/features/visit/sessions.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { createClock, openTestServer, type TestServer } from '../support/deps.ts';
import { call } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import { accessRow } from '../support/rows.ts';
import { startServer } from '../support/server.ts';
import { useServer } from '../support/suites.ts';
import { attemptEntry, attemptOf, configure, enterOrThrow, makeCode } from '../support/visits.ts';

const DAY = 24 * 3_600_000;

const readOf = ({ ctx }: TestServer) => readDashboard(ctx);
const fullDays = async (server: TestServer) =>
  (await readOf(server)).accessi_per_giorno.filter(({ riusciti, rifiutati }) => riusciti + rifiutati > 0);

describe('dashboard', () => {
  const server = useServer(sqliteDatabase, { empty: true });

  test('returns zeros for thirty days before the first event', async () => {
    const { accessi_per_giorno: days, ...numbers } = await readOf(server);
    expect(numbers).toEqual({
      certificato: null,
      token_totali: 0,
      token_attivi: 0,
      accessi_totali: 0,
    });
    expect(days).toHaveLength(30);
    expect([days[0], days.at(-1)]).toEqual([
      { giorno: '2027-01-16', riusciti: 0, rifiutati: 0 },
      { giorno: '2027-02-14', riusciti: 0, rifiutati: 0 },
    ]);
  });

  test('counts codes and the accesses of each day', async () => {
    await configure(server);
    const { token } = await makeCode(server, { max_accessi: 2 });
    const revoked = await makeCode(server, { giorni: null });
    await setTokenActive(server.ctx, { id: revoked.id, attivo: false });
    for (let times = 0; times < 3; times += 1) await attemptEntry(server, token);
    server.clock.advance(2 * DAY);
    await attemptEntry(server, 'ROM-NESSUNO');
    expect(await readOf(server)).toMatchObject({ token_totali: 2, token_attivi: 1, accessi_totali: 2 });
    const later = { giorno: '2027-02-16', riusciti: 0, rifiutati: 1 };
    expect(await fullDays(server)).toEqual([{ giorno: '2027-02-14', riusciti: 2, rifiutati: 1 }, later]);
    server.clock.advance(28 * DAY);
    await sweepSessions(server.deps);
    expect(await fullDays(server)).toEqual([later]);
    expect(await readOf(server)).toMatchObject({ accessi_totali: 2 });
  });
});

test('splits the chart’s days at Italian midnight, also when clocks go forward', async () => {
  const server = await openTestServer(sqliteDatabase, createClock('2027-03-30T10:00:00.000Z'));
  const attempts = {
    '2027-03-27T22:59:59.999Z': true,
    '2027-03-27T23:00:00.000Z': true,
    '2027-03-28T01:30:00.000Z': false,
    '2027-03-28T21:59:59.999Z': true,
    '2027-03-28T22:00:00.000Z': true,
  };
  await server.deps.inTransaction(async (tx) => {
    for (const [created_at, success] of Object.entries(attempts)) {
      await tx.insertInto('access_logs').values(accessRow({ created_at, success })).execute();
      if (success) await countVisit(tx, new Date(created_at));
    }
  });
  const found = (await fullDays(server)).map((day) => `${day.giorno} ${day.riusciti}/${day.rifiutati}`);
  expect(found).toEqual(['2027-03-27 1/0', '2027-03-28 2/1', '2027-03-29 1/0']);
  await server.close();
});

/** Counters, updated with each event, must always equal the counts of the rows. */
describe('dashboard counter', () => {
  const server = useServer(sqliteDatabase);
  const code = () => makeCode(server, { max_accessi: 40, giorni: null });

  const shown = async () => {
    const { accessi_totali, accessi_per_giorno } = await readOf(server);
    const { conteggi } = await listSessions(server.ctx);
    const inTheChart = accessi_per_giorno.reduce((all, { riusciti }) => all + riusciti, 0);
    return { accessi_totali, inTheChart, ...conteggi };
  };
  const inRows = async () => {
    const { rows } = await sql<Record<'accesses' | 'open' | 'ended', number>>`select
      (select count(*) from access_logs where success = true) as accesses,
      (select count(*) from active_sessions where is_active = true) as open,
      (select count(*) from active_sessions where is_active = false) as ended`.execute(server.deps.db);
    const { accesses, open, ended } = rows[0] ?? expect.unreachable();
    return { accessi_totali: accesses, inTheChart: accesses, attive: open, terminate: ended };
  };

  test('is correct for concurrent entries, some beyond the limit and one repeated with its attempt id', async () => {
    const { token } = await code();
    const twice = attemptOf(token);
    const many = Array.from({ length: 45 }, () => attemptEntry(server, token));
    await Promise.all([...many, attemptEntry(server, token, twice), attemptEntry(server, token, twice)]);
    expect(await shown()).toEqual({ accessi_totali: 40, inTheChart: 40, attive: 40, terminate: 0 });
    expect(await shown()).toEqual(await inRows());
  });

  test('continues after visits ended, attempts were deleted and a month passed', async () => {
    const { token } = await code();
    await enterOrThrow(server, token);
    await enterOrThrow(server, token);
    await attemptEntry(server, 'ROM-NESSUNO');
    expect(await shown()).toEqual({ accessi_totali: 2, inTheChart: 2, attive: 2, terminate: 0 });
    server.clock.advance(91 * DAY);
    await sweepSessions(server.deps);
    expect(await forgetFailedEntries(server.deps)).toBeGreaterThan(0);
    expect(await shown()).toEqual({ ...(await inRows()), inTheChart: 0 });
    expect(await shown()).toMatchObject({ accessi_totali: 2, attive: 0, terminate: 2 });
  });
});

test('reports an unnamed proxy once in the log and to the administrator', async () => {
  const own = await startServer();
  const cookie = await signUp(own);
  const warnings = ({ logged }: { logged(): string }) =>
    logged().match(/a proxy that TRUSTED_PROXIES/g)?.length ?? 0;
  const unnamedProxy = async () =>
    (await call(own.url, 'GET', '/admin/me', undefined, { cookie })).body.unnamed_proxy;
  expect([await unnamedProxy(), warnings(own)]).toEqual([null, 0]);
  for (let times = 0; times < 2; times += 1)
    await call(own.url, 'GET', '/site', undefined, { headers: { 'x-forwarded-for': '203.0.113.7' } });
  expect([await unnamedProxy(), warnings(own)]).toEqual(['127.0.0.1', 1]);
  const line = own
    .logged()
    .split('\n')
    .find((each) => each.includes('TRUSTED_PROXIES'));
  expect(line).not.toContain('127.0.0.1');
  await own.stop();
});
