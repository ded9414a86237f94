import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

type Row = Record<string, unknown>;

/** Rows read or written at once. */
const PAGE = 100;

/**
 * Runs `read` on one state of the database, whatever is written meanwhile; nobody waits for it, and it waits for nobody. It may take its time.
 */
export async function withConsistentRead<T>(
  { db, kind }: { db: Db; kind: 'sqlite' | 'postgres' },
  read: (tx: Db) => Promise<T>,
): Promise<T> {
  const transaction = db.transaction().setAccessMode('read only');
  if (kind === 'sqlite') return transaction.execute(read);
  return transaction.setIsolationLevel('repeatable read').execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
    return read(tx);
  });
}

/** The names of all tables, but Kysely's own. */
export async function tableNames(db: Db): Promise<string[]> {
  return (await db.introspection.getTables()).map(({ name }) => name);
}

/** Writes beside the tables (PostgreSQL's) which restore has made them, in the transaction that does. */
export async function markTables(tx: Db, restore: string): Promise<void> {
  await sql`comment on table kysely_migration is ${sql.lit(restore)}`.execute(tx);
}

/** Takes away the tables that this restore has made; those of anybody else stay. */
export async function dropMarkedTables(db: Db, restore: string, tables: readonly string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ signature: string | null }>`
      select obj_description(to_regclass('kysely_migration'), 'pg_class') as signature`.execute(tx);
    if (rows[0]?.signature !== restore) return;
    await sql`drop table if exists ${sql.join(tables.map((table) => sql.table(table)))}`.execute(tx);
  });
}

/** Every row of a table, a page at a time; inside a transaction. */
export async function* readTablePages(
  { db, kind }: { db: Db; kind: 'sqlite' | 'postgres' },
  table: string,
): AsyncGenerator<Row[]> {
  if (kind === 'postgres') yield* fetched(db, table);
  else for await (const row of dynamic(db).selectFrom(table).selectAll().stream()) yield [row];
}

async function* fetched(db: Db, table: string): AsyncGenerator<Row[]> {
  await sql`declare archived cursor for select * from ${sql.table(table)}`.execute(db);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(PAGE)} from archived`.execute(db);
    if (rows.length === 0) break;
    yield rows;
  }
  await sql`close archived`.execute(db);
}

/** How much an archive would hold, and when one was last sent to its end. */
export async function countArchived(
  db: Db,
): Promise<{ files: number; bytes: number; last_at: string | null }> {
  const { files, bytes } = await db
    .selectFrom('media')
    .where('deleted_at', 'is', null)
    .select((eb) => [eb.fn.countAll().as('files'), eb.fn.coalesce(eb.fn.sum('size'), eb.lit(0)).as('bytes')])
    .executeTakeFirstOrThrow();
  const last = await db
    .selectFrom('event_logs')
    .select('created_at')
    .where('event_type', '=', 'archive_downloaded')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { files: Number(files), bytes: Number(bytes), last_at: last?.created_at ?? null };
}

/** Nobody can register until the transaction ends. On SQLite that is so with every one. */
export async function lockUsers(tx: Db, kind: 'sqlite' | 'postgres'): Promise<void> {
  if (kind === 'postgres') await sql`lock table "user" in exclusive mode`.execute(tx);
}

/** Empties tables: a migration may have put something into them. */
export async function emptyTables(tx: Db, tables: readonly string[]): Promise<void> {
  for (const table of tables.toReversed()) await dynamic(tx).deleteFrom(table).execute();
}

/** Writes rows as they were read, on this database or another one. */
export async function insertRows(tx: Db, table: string, pages: AsyncIterable<Row[]>): Promise<void> {
  for await (const rows of pages)
    for (let from = 0; from < rows.length; from += PAGE)
      await dynamic(tx)
        .insertInto(table)
        .values(rows.slice(from, from + PAGE))
        .execute();
}

/** The tables of the archive are known by name only. */
const dynamic = (db: Db) => db.withTables<Record<string, Row>>();
