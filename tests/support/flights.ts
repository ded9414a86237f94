import type { TestDatabase } from './databases.ts';

/**
 * Counts from now on how often this database's first connection to PostgreSQL is written to after it has answered: what is sent in one turn is one flight.
 * Of what goes through it one after the other, for the pool lends the same connection again.
 */
export async function countRoundTrips(database: TestDatabase): Promise<() => number> {
  if (database.kind !== 'postgres') throw new Error('SQLite has no flights');
  const client = await database.pool.connect();
  const { stream } = client.connection;
  let [flights, answered] = [0, true];
  stream.on('data', () => {
    answered = true;
  });
  stream.write = new Proxy(stream.write, {
    apply(write, self, sent) {
      if (answered) flights += 1;
      answered = false;
      return Reflect.apply(write, self, sent);
    },
  });
  client.release();
  return () => flights;
}
