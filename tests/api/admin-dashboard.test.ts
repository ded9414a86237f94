import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { countVisit } from '../../src/server/event-log/visit-counts.repo.ts';
import { readDashboard } from '../../src/server/features/dashboard/dashboard.service.ts';
import { setTokenActive } from '../../src/server/features/tokens/tokens.service.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { createClock, openTestServer, type TestServer } from '../support/deps.ts';
import { accessRow } from '../support/rows.ts';
import { comeIn, configure, makeCode, tryToEnter } from '../support/visits.ts';

const DAY = 24 * 3_600_000;

let server: TestServer;
afterEach(() => server.close());

const begin = async (at?: string) => {
  server = await openTestServer(sqliteDatabase, createClock(at));
};
const read = () => readDashboard(server.deps, server.actor);
const tries = (...moments: [created_at: string, success: boolean][]) =>
  server.deps.inTransaction(async (tx) => {
    await tx
      .insertInto('access_logs')
      .values(moments.map(([created_at, success]) => accessRow({ created_at, success })))
      .execute();
    for (const [moment, success] of moments)
      if (success) await countVisit(tx, { accessi: 1 }, new Date(moment));
  });
const full = async () =>
  (await read()).accessi_per_giorno.filter(({ riusciti, rifiutati }) => riusciti + rifiutati > 0);

describe('of an evening', () => {
  beforeEach(() => begin());

  test('is full of zeros before anything happened', async () => {
    const { accessi_per_giorno, ...numbers } = await read();
    expect(numbers).toEqual({
      certificato: null,
      token_totali: 0,
      token_attivi: 0,
      accessi_totali: 0,
      ultimi_eventi: [],
    });
    expect(accessi_per_giorno).toHaveLength(30);
    expect(accessi_per_giorno[0]).toEqual({ giorno: '2027-01-16', riusciti: 0, rifiutati: 0 });
    expect(accessi_per_giorno.at(-1)).toEqual({ giorno: '2027-02-14', riusciti: 0, rifiutati: 0 });
  });

  test('counts all codes and the active ones', async () => {
    await configure(server);
    await makeCode(server, { giorni: null });
    await makeCode(server, { giorni: 1, max_accessi: 3 });
    const used = await makeCode(server);
    await comeIn(server, used.token);
    const revoked = await makeCode(server);
    await setTokenActive(server.deps, server.actor, { id: revoked.id, attivo: false });
    expect(await read()).toMatchObject({ token_totali: 4, token_attivi: 3 });
  });

  test('counts the accesses that succeeded, and shows both kinds on their days', async () => {
    await configure(server);
    const { token } = await makeCode(server, { max_accessi: 2 });
    await comeIn(server, token);
    await comeIn(server, token);
    await tryToEnter(server, token);
    server.clock.advance(2 * DAY);
    await tryToEnter(server, 'ROM-NESSUNO');
    expect(await read()).toMatchObject({ accessi_totali: 2 });
    expect(await full()).toEqual([
      { giorno: '2027-02-14', riusciti: 2, rifiutati: 1 },
      { giorno: '2027-02-16', riusciti: 0, rifiutati: 1 },
    ]);
    server.clock.advance(28 * DAY);
    expect(await full()).toEqual([{ giorno: '2027-02-16', riusciti: 0, rifiutati: 1 }]);
    expect(await read()).toMatchObject({ accessi_totali: 2 });
  });

  test('has the latest eight events', async () => {
    for (let n = 0; n < 12; n += 1) {
      server.clock.advance(1_000);
      await makeCode(server, { nome: `Codice ${n}` });
    }
    const { ultimi_eventi } = await read();
    expect(ultimi_eventi).toHaveLength(8);
    expect(ultimi_eventi[0]).toMatchObject({
      event_type: 'token_created',
      created_at: server.clock.now().toISOString(),
    });
  });
});

test('cuts the days at Italian midnight when clocks go forward', async () => {
  await begin('2027-03-30T10:00:00.000Z');
  await tries(
    ['2027-03-27T22:59:59.999Z', true],
    ['2027-03-27T23:00:00.000Z', true],
    ['2027-03-28T01:30:00.000Z', false],
    ['2027-03-28T21:59:59.999Z', true],
    ['2027-03-28T22:00:00.000Z', true],
  );
  expect(await full()).toEqual([
    { giorno: '2027-03-27', riusciti: 1, rifiutati: 0 },
    { giorno: '2027-03-28', riusciti: 2, rifiutati: 1 },
    { giorno: '2027-03-29', riusciti: 1, rifiutati: 0 },
  ]);
});

test('cuts the days at Italian midnight when clocks go back, and the first day is whole', async () => {
  await begin('2027-11-29T23:30:00.000Z');
  await tries(
    ['2027-10-31T22:59:59.999Z', true],
    ['2027-10-31T23:00:00.000Z', true],
    ['2027-11-01T22:59:59.999Z', false],
    ['2027-11-29T22:59:59.999Z', true],
    ['2027-11-29T23:00:00.000Z', true],
  );
  const { accessi_per_giorno } = await read();
  expect(accessi_per_giorno.map(({ giorno }) => giorno)).toHaveLength(30);
  expect(await full()).toEqual([
    { giorno: '2027-11-01', riusciti: 1, rifiutati: 1 },
    { giorno: '2027-11-29', riusciti: 1, rifiutati: 0 },
    { giorno: '2027-11-30', riusciti: 1, rifiutati: 0 },
  ]);
});
