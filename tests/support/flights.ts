import type { TestDatabase } from './databases.ts';

/**
 * Counts the round trips of this database's first PostgreSQL connection: writes after a reply; data sent in one turn
 * counts once. Valid for sequential queries, for which the pool reuses one connection.
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
