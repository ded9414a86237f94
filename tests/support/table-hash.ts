import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../src/server/db/tables.ts';

/** What is written beside everything: who watches whether the evening is ready, what was found by trying, that a rehearsal was seen (and no more of it), and the file of Piano B, which is made once it was asked for. */
const BESIDE = ['ready_watch', 'ready_tries', 'rehearsals_seen', 'plans_b'];
/** So are the counter by which the server sees whether anything can be (`db/ping.ts`), and the bytes of that file. */
const isBeside = (table: string, { key, nome }: Row) =>
  (table === 'rate_limits' && key === 'readyz') || (table === 'media' && nome === 'piano-b');

type Row = { key?: unknown; nome?: unknown };

/**
 * A line with a hash for each table of everything else that is stored (SQLite): equal lines mean that nothing was written, others say where.
 * @param but further tables to leave out
 */
export async function hashOfAllTables(db: Db, but: readonly string[] = []): Promise<string> {
  const { rows } = await sql<{
    name: string;
  }>`select name from sqlite_master where type = 'table' order by name`.execute(db);
  const lines: string[] = [];
  for (const { name } of rows.filter((table) => ![...BESIDE, ...but].includes(table.name))) {
    const { rows: content } = await sql<Row>`select * from ${sql.table(name)}`.execute(db);
    const told = content
      .filter((row) => !isBeside(name, row))
      .map((row) => JSON.stringify(row))
      .toSorted()
      .join('\n');
    lines.push(`${name} ${createHash('sha256').update(told).digest('hex')}`);
  }
  return lines.join('\n');
}
