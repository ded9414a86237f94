import { afterEach, expect, it } from 'vitest';
import { postgresDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { flightsOf } from '../support/flights.ts';
import { comeIn, configure, makeCode } from '../support/visits.ts';

let server: TestServer;
afterEach(() => server.close());

it('enters in seven flights: the limit, the beginning, three to look, one to write, the commit', async () => {
  server = await openTestServer(postgresDatabase);
  await configure(server);
  const { token } = await makeCode(server, { max_accessi: 5 });
  // What a visit begins with is stored by the first.
  await comeIn(server, token);
  const flights = await flightsOf(server.database);
  await comeIn(server, token);
  expect(flights()).toBe(7);
});
