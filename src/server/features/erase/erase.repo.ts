import { type SelectQueryBuilder, SqliteAdapter, sql } from 'kysely';
import type { Erasable } from '../../../contract/admin/archive.ts';
import type { Db, Tables } from '../../db/tables.ts';

/** Counts the content of the database. */
export async function countErasable(db: Db): Promise<Omit<Erasable, 'backups'>> {
  const [visits, living, answers, replies, codes, events, accesses, files] = await Promise.all([
    count(db.selectFrom('active_sessions')),
    count(db.selectFrom('active_sessions').where('is_active', '=', true)),
    count(db.selectFrom('checkbox_responses')),
    count(db.selectFrom('keepsakes').where('reply', 'is not', null)),
    count(db.selectFrom('tokens')),
    count(db.selectFrom('event_logs')),
    count(db.selectFrom('access_logs')),
    filesAndBytes(db),
  ]);
  return { visits, living, answers, replies, codes, events: events + accesses, ...files };
}

async function count<T extends keyof Tables>(rows: SelectQueryBuilder<Tables, T, object>): Promise<number> {
  const row = await rows.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow();
  return Number(row.count);
}

async function filesAndBytes(db: Db): Promise<Pick<Erasable, 'files' | 'bytes'>> {
  const row = await db
    .selectFrom('media')
    .select((eb) => [eb.fn.countAll().as('files'), eb.fn.coalesce(eb.fn.sum('size'), eb.lit(0)).as('bytes')])
    .executeTakeFirstOrThrow();
  return { files: Number(row.files), bytes: Number(row.bytes) };
}

/** Locks every code until the transaction ends, so that entries wait and then see its result. */
export async function lockCodes(tx: Db): Promise<void> {
  await tx
    .updateTable('tokens')
    .set((eb) => ({ attivo: eb.ref('attivo') }))
    .execute();
}

/** Returns the ids of visits that could be resumed. */
export async function unfinishedVisits(tx: Db): Promise<string[]> {
  const rows = await tx
    .selectFrom('active_sessions')
    .select('id')
    .where('completed_at', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Makes SQLite overwrite deleted content with zeros, until the connection closes. PostgreSQL removes it at its next vacuum. */
export async function enableSecureDelete(tx: Db): Promise<void> {
  if (tx.getExecutor().adapter instanceof SqliteAdapter) await sql`pragma secure_delete = on`.execute(tx);
}
