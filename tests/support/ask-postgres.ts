import { Client } from 'pg';

/** Asks a PostgreSQL one thing, by a connection of its own; the rows. */
export async function askPostgres<Row>(connectionString: string, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end();
  }
}
