import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../src/server/db/tables.ts';

/**
 * Tables written independently of the tested calls: readiness watching and its results, seen rehearsals, and the file
 * of Piano B, which is built after its request.
 */
const EXCLUDED_TABLES = ['ready_watch', 'ready_tries', 'rehearsals_seen', 'plans_b'];
/** Returns true for the counter of the database check (`db/counters.ts`) and the bytes of that file. */
const isExcludedRow = (table: string, { key, nome }: Row) =>
  (table === 'rate_limits' && key === 'readyz') || (table === 'media' && nome === 'piano-b');

type Row = { key?: unknown; nome?: unknown };

/** Last result per database, with the number of changes it is valid for. */
const read = new WeakMap<Db, { after: string; lines: string }>();

/**
 * Returns one line with a hash per remaining table (SQLite): equal results mean that nothing was written.
 * @param but further tables to leave out
 */
export async function hashOfAllTables(db: Db, but: readonly string[] = []): Promise<string> {
  const after = JSON.stringify([await changes(db), but]);
  const known = read.get(db);
  if (known?.after === after) return known.lines;
  const lines = await readTables(db, but);
  read.set(db, { after, lines });
  return lines;
}

/** Counts the rows that this connection has ever changed, and the commits of others. */
async function changes(db: Db): Promise<unknown> {
  const { rows } = await sql`select total_changes(), data_version from pragma_data_version`.execute(db);
  return rows;
}

async function readTables(db: Db, but: readonly string[]): Promise<string> {
  const { rows } = await sql<{
    name: string;
  }>`select name from sqlite_master where type = 'table' order by name`.execute(db);
  const lines: string[] = [];
  for (const { name } of rows.filter((table) => ![...EXCLUDED_TABLES, ...but].includes(table.name))) {
    const { rows: content } = await sql<Row>`select * from ${sql.table(name)}`.execute(db);
    const rowLines = content
      .filter((row) => !isExcludedRow(name, row))
      .map((row) => JSON.stringify(row))
      .toSorted()
      .join('\n');
    lines.push(`${name} ${createHash('sha256').update(rowLines).digest('hex')}`);
  }
  return lines.join('\n');
}
