import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../src/server/db/tables.ts';

/** One hash of everything that is stored (SQLite): equal hashes mean that nothing was written. */
export async function hashOfAllTables(db: Db): Promise<string> {
  const hash = createHash('sha256');
  const { rows } = await sql<{
    name: string;
  }>`select name from sqlite_master where type = 'table' order by name`.execute(db);
  for (const { name } of rows) {
    const { rows: content } = await sql`select * from ${sql.table(name)}`.execute(db);
    hash.update(
      `${name}\n${content
        .map((row) => JSON.stringify(row))
        .toSorted()
        .join('\n')}\n`,
    );
  }
  return hash.digest('hex');
}
