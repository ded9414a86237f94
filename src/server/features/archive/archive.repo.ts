import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';

type Row = Record<string, unknown>;

/** Rows per query. */
const PAGE = 100;

/** Runs `read` on one consistent state of the database, without a timeout. Does not block writers or wait for them. */
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

/** Returns the names of all tables except Kysely's. */
export async function tableNames(db: Db): Promise<string[]> {
  return (await db.introspection.getTables()).map(({ name }) => name);
}

/** Marks the tables of this restore with a PostgreSQL comment, in the transaction that creates them. */
export async function markTables(tx: Db, restore: string): Promise<void> {
  await sql`comment on table kysely_migration is ${sql.lit(restore)}`.execute(tx);
}

/** Drops the tables if this restore created them; others stay. */
export async function dropMarkedTables(db: Db, restore: string, tables: readonly string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ signature: string | null }>`
      select obj_description(to_regclass('kysely_migration'), 'pg_class') as signature`.execute(tx);
    if (rows[0]?.signature !== restore) return;
    await sql`drop table if exists ${sql.join(tables.map((table) => sql.table(table)))}`.execute(tx);
  });
}

/** Yields the rows of a table in pages. Must run inside a transaction. */
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

/** Returns the number and bytes of files in an archive, and the time of the last complete download. */
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

/** Blocks registrations until the transaction ends. On SQLite every write transaction does. */
export async function lockUsers(tx: Db, kind: 'sqlite' | 'postgres'): Promise<void> {
  if (kind === 'postgres') await sql`lock table "user" in exclusive mode`.execute(tx);
}

/** Deletes all rows, because a migration may have inserted some. */
export async function emptyTables(tx: Db, tables: readonly string[]): Promise<void> {
  for (const table of tables.toReversed()) await dynamic(tx).deleteFrom(table).execute();
}

/** Inserts rows unchanged, on either kind of database. */
export async function insertRows(tx: Db, table: string, pages: AsyncIterable<Row[]>): Promise<void> {
  for await (const rows of pages)
    for (let from = 0; from < rows.length; from += PAGE)
      await dynamic(tx)
        .insertInto(table)
        .values(rows.slice(from, from + PAGE))
        .execute();
}

/** Archived tables are known only by name, not by type. */
const dynamic = (db: Db) => db.withTables<Record<string, Row>>();
