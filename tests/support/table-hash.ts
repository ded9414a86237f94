import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../src/server/db/tables.ts';

/** What is written beside everything: who watches whether the evening is ready, what was found by trying, that a rehearsal was seen (and no more of it), and the file of Piano B, which is made once it was asked for. */
const BESIDE = ['ready_watch', 'ready_tries', 'rehearsals_seen', 'plans_b'];
/** So are the counter by which the server sees whether anything can be (`db/ping.ts`), and the bytes of that file. */
const isBeside = (table: string, { key, nome }: Row) =>
  (table === 'rate_limits' && key === 'readyz') || (table === 'media' && nome === 'piano-b');

type Row = { key?: unknown; nome?: unknown };

/** What was read last of each database, and after how many changes: where none came since, it is so still. */
const read = new WeakMap<Db, { after: string; lines: string }>();

/**
 * A line with a hash for each table of everything else that is stored (SQLite): equal lines mean that nothing was written, others say where.
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

/** Counts the rows that this connection has ever changed, and what others have stored. */
async function changes(db: Db): Promise<unknown> {
  const { rows } = await sql`select total_changes(), data_version from pragma_data_version`.execute(db);
  return rows;
}

async function readTables(db: Db, but: readonly string[]): Promise<string> {
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
