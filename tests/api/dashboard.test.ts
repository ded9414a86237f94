import { describe, expect, test } from 'vitest';
import { readDashboard } from '../../src/server/features/dashboard/dashboard.ts';
import { forgetFailedEntries } from '../../src/server/features/logs/refused-tries.ts';
import { listSessions } from '../../src/server/features/sessions/sessions.ts';
import { setTokenActive } from '../../src/server/features/tokens/tokens.ts';
import { sweepSessions } from '../../src/server/features/visit/sessions.ts';
import { sqliteDatabase } from '../support/databases.ts';
import type { TestServer } from '../support/deps.ts';
import { call } from '../support/http.ts';
import { useServer, useSignedUp } from '../support/suites.ts';
import { attemptEntry, attemptOf, configure, enterOrThrow, makeCode } from '../support/visits.ts';

const DAY = 24 * 3_600_000;

const readOf = ({ ctx }: TestServer) => readDashboard(ctx);
const fullDays = async (server: TestServer) =>
  (await readOf(server)).accessi_per_giorno.filter(({ riusciti, rifiutati }) => riusciti + rifiutati > 0);

describe('dashboard', () => {
  const server = useServer(sqliteDatabase, { empty: true });

  test('returns zeros for thirty days before the first event', async () => {
    const { accessi_per_giorno: days, ...numbers } = await readOf(server);
    expect(new Set(Object.values(numbers))).toEqual(new Set([null, 0]));
    expect(days).toHaveLength(30);
    expect([days[0], days.at(-1)]).toEqual([
      { giorno: '2027-01-16', riusciti: 0, rifiutati: 0 },
      { giorno: '2027-02-14', riusciti: 0, rifiutati: 0 },
    ]);
  });

  test('counts codes and the accesses of each day in Italy', async () => {
    // Half past midnight in Italy, on the next day.
    server.clock.advance(4.5 * 3_600_000);
    await configure(server);
    const { token } = await makeCode(server, { max_accessi: 2 });
    const revoked = await makeCode(server, { giorni: null });
    await setTokenActive(server.ctx, { id: revoked.id, attivo: false });
    for (let times = 0; times < 3; times += 1) await attemptEntry(server, token);
    server.clock.advance(2 * DAY);
    await attemptEntry(server, 'ROM-NESSUNO');
    expect(await readOf(server)).toMatchObject({ token_totali: 2, token_attivi: 1, accessi_totali: 2 });
    const later = { giorno: '2027-02-17', riusciti: 0, rifiutati: 1 };
    expect(await fullDays(server)).toEqual([{ giorno: '2027-02-15', riusciti: 2, rifiutati: 1 }, later]);
    server.clock.advance(28 * DAY);
    await sweepSessions(server.deps);
    expect(await fullDays(server)).toEqual([later]);
    expect(await readOf(server)).toMatchObject({ accessi_totali: 2 });
  });
});

describe('dashboard counter', () => {
  const server = useServer(sqliteDatabase);

  test('continues after visits ended, attempts were deleted and a month passed', async () => {
    const shown = async () => {
      const { accessi_totali, accessi_per_giorno } = await readOf(server);
      const { conteggi } = await listSessions(server.ctx);
      const inTheChart = accessi_per_giorno.reduce((all, { riusciti }) => all + riusciti, 0);
      return { accessi_totali, inTheChart, ...conteggi };
    };
    const { token } = await makeCode(server, { max_accessi: 3, giorni: null });
    const attempt = attemptOf(token);
    for (const again of [{}, attempt, attempt]) await enterOrThrow(server, token, again);
    await attemptEntry(server, 'ROM-NESSUNO');
    expect(await shown()).toEqual({ accessi_totali: 2, inTheChart: 2, attive: 2, terminate: 0 });
    server.clock.advance(91 * DAY);
    await sweepSessions(server.deps);
    expect(await forgetFailedEntries(server.deps)).toBeGreaterThan(0);
    expect(await shown()).toEqual({ accessi_totali: 2, inTheChart: 0, attive: 0, terminate: 2 });
  });
});

describe('unnamed proxy', () => {
  const { server, to } = useSignedUp();

  test('is reported once in the log and to the administrator', async () => {
    const reported = async () =>
      (await call(server.url, 'GET', '/admin/me', undefined, to)).body.unnamed_proxy;
    expect(await reported()).toBeNull();
    for (let times = 0; times < 2; times += 1)
      await call(server.url, 'GET', '/site', undefined, { headers: { 'x-forwarded-for': '203.0.113.7' } });
    expect(await reported()).toBe('127.0.0.1');
    expect(server.logged().match(/a proxy that TRUSTED_PROXIES/g)).toHaveLength(1);
  });
});
