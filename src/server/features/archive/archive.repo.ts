import { type SelectQueryBuilder, SqliteAdapter, sql } from 'kysely';
import type { Unmigrated } from '../../db/open.ts';
import type { Db, Tables } from '../../db/tables.ts';

export type Database = Pick<Unmigrated, 'db' | 'kind'>;
export type Row = Record<string, unknown>;

/** Rows per query. */
const PAGE = 100;

/** Runs `read` on one consistent state of the database, without a timeout. Does not block writers or wait for them. */
export async function withConsistentRead<T>(
  { db, kind }: Database,
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
export async function* readTablePages({ db, kind }: Database, table: string): AsyncGenerator<Row[]> {
  if (kind === 'sqlite') {
    for await (const row of dynamic(db).selectFrom(table).selectAll().stream()) yield [row];
    return;
  }
  await sql`declare archived cursor for select * from ${sql.table(table)}`.execute(db);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(PAGE)} from archived`.execute(db);
    if (rows.length === 0) break;
    yield rows;
  }
  await sql`close archived`.execute(db);
}

/** Returns the number and bytes of files in an archive, and the time of the last complete download. */
export async function countArchived(db: Db) {
  const { last_at } = await db
    .selectFrom('event_logs')
    .select((eb) => eb.fn.max('created_at').as('last_at'))
    .where('event_type', '=', 'archive_downloaded')
    .executeTakeFirstOrThrow();
  return { ...(await countFiles(db.selectFrom('media').where('deleted_at', 'is', null))), last_at };
}

/** Returns the number of some files and the sum of their bytes. */
export async function countFiles(media: SelectQueryBuilder<Tables, 'media', object>) {
  const { files, bytes } = await media
    .select((eb) => [eb.fn.countAll().as('files'), eb.fn.coalesce(eb.fn.sum('size'), eb.lit(0)).as('bytes')])
    .executeTakeFirstOrThrow();
  return { files: Number(files), bytes: Number(bytes) };
}

/** Blocks registrations until the transaction ends. On SQLite every write transaction does. */
export async function lockUsers(tx: Db, kind: Database['kind']): Promise<void> {
  if (kind === 'postgres') await sql`lock table "user" in exclusive mode`.execute(tx);
}

/** Deletes all rows, because a migration may have inserted some. */
export async function emptyTables(tx: Db, tables: readonly string[]): Promise<void> {
  for (const table of tables.toReversed()) await dynamic(tx).deleteFrom(table).execute();
}

/** Makes SQLite overwrite deleted content with zeros, until the connection closes. PostgreSQL removes it at its next vacuum. */
export async function enableSecureDelete(tx: Db): Promise<void> {
  if (tx.getExecutor().adapter instanceof SqliteAdapter) await sql`pragma secure_delete = on`.execute(tx);
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
