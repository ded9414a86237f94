import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { SessionRow } from '../visit/sessions.repo.ts';

/** Columns that the administrator's list uses. The cookie's hash and the attempt are never selected. */
const LISTED_COLUMNS = [
  'id',
  'token_value',
  'device_id',
  'user_agent',
  'is_active',
  'started_at',
  'last_activity',
  'disconnected_at',
  'disconnection_reason',
  'completed_at',
  'exit_point',
  'background_at',
  'snapshot_hash',
  'step',
  'phrase',
  'second',
  'capabilities',
] as const;
export type ListedRow = Pick<SessionRow, (typeof LISTED_COLUMNS)[number]>;

const newestFirst = (db: Db, is_active: boolean) =>
  db
    .selectFrom('active_sessions')
    .select(LISTED_COLUMNS)
    .where('is_active', '=', is_active)
    .orderBy('started_at', 'desc')
    .orderBy('id');

export async function listOpen(db: Db): Promise<ListedRow[]> {
  return newestFirst(db, true).execute();
}

export async function listEnded(db: Db, limit: number): Promise<ListedRow[]> {
  return newestFirst(db, false).limit(limit).execute();
}

/** Returns the number of ended visits: all visits minus the open ones, in one query. */
export async function countEnded(db: Db): Promise<number> {
  const { rows } = await sql<{ ended: number | string }>`
    select coalesce(sum(visite), 0)
      - (select count(*) from active_sessions where is_active = true) as ended from visits_by_day`.execute(
    db,
  );
  return Number(rows[0]?.ended ?? 0);
}
