import { afterEach, expect, it } from 'vitest';
import { findConfig } from '../../src/server/features/config/config.repo.ts';
import { postgresDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { flightsOf, writesOf } from '../support/flights.ts';
import { comeIn, configure, makeCode } from '../support/visits.ts';

let server: TestServer;
afterEach(() => server.close());

it('enters in six flights: the limit, the beginning, two to look, one to write, the commit', async () => {
  server = await openTestServer(postgresDatabase);
  await configure(server);
  const { token } = await makeCode(server, { max_accessi: 5 });
  // What a visit begins with is stored by the first.
  await comeIn(server, token);
  const flights = await flightsOf(server.database);
  await comeIn(server, token);
  expect(flights()).toBe(6);
});

it('writes once for what is asked together', async () => {
  server = await openTestServer(postgresDatabase);
  const { db, inTransaction } = server.deps;
  await findConfig(db);
  const writes = await writesOf(server.database);
  await inTransaction((tx) => Promise.all([findConfig(tx), findConfig(tx), findConfig(tx)]));
  // The beginning, the three, the commit.
  expect(writes()).toBe(3);
});
