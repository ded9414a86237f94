import type { Insertable, Selectable } from 'kysely';
import { SILENCE_MS, VISIT_LIFE_MS } from '../../../domain/limits.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import type { ForcedReason } from '../../../domain/visit-state.ts';
import { statement } from '../../db/statement.ts';
import type { ActiveSessionsTable, Db } from '../../db/tables.ts';

export type SessionRow = Selectable<ActiveSessionsTable>;
export type NewSession = Insertable<ActiveSessionsTable>;
export type ClosingReason = 'user_logout' | 'timeout' | ForcedReason;

/** What the events about a session need of it. */
const EVENT_FIELDS = ['id', 'token_id', 'token_value', 'device_id', 'user_agent', 'exit_point'] as const;
export type ClosedSession = Pick<SessionRow, (typeof EVENT_FIELDS)[number]>;

export async function findById(db: Db, id: string): Promise<SessionRow | undefined> {
  return db.selectFrom('active_sessions').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findByCookie(db: Db, cookie_hash: string): Promise<SessionRow | undefined> {
  return db
    .selectFrom('active_sessions')
    .selectAll()
    .where('cookie_hash', '=', cookie_hash)
    .executeTakeFirst();
}

/** What every request asks of its session: all but the long text of what it began with (`findSnapshot`). */
const HELD_FIELDS = [
  'active_sessions.id',
  'token_id',
  'token_value',
  'started_at',
  'last_activity',
  'is_active',
  'disconnected_at',
  'disconnection_reason',
  'step',
  'phrase',
  'second',
  'background_at',
  'completed_at',
  'left_lives',
] as const;

const heldByCookie = statement((db, cookie_hash) =>
  db
    .selectFrom('active_sessions')
    .leftJoin('tokens', 'tokens.id', 'active_sessions.token_id')
    .select(HELD_FIELDS)
    .select('tokens.attivo as code_active')
    .where('cookie_hash', '=', cookie_hash),
);

export type HeldRow = Omit<Awaited<ReturnType<typeof heldByCookie>>[number], 'code_active'>;

/** The session of a cookie, and whether its code is still there and active, in one look. */
export async function findHeld(
  db: Db,
  cookie_hash: string,
): Promise<{ row: HeldRow; code_active: boolean } | undefined> {
  const [found] = await heldByCookie(db, cookie_hash);
  if (found === undefined) return undefined;
  const { code_active, ...row } = found;
  return { row, code_active: code_active ?? false };
}

/** What a session began with, as it is stored. */
export async function findSnapshot(db: Db, id: string): Promise<string> {
  const { snapshot } = await db
    .selectFrom('active_sessions')
    .select('snapshot')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return snapshot;
}

export async function findByAttempt(db: Db, attempt_id: string): Promise<SessionRow | undefined> {
  return db.selectFrom('active_sessions').selectAll().where('attempt_id', '=', attempt_id).executeTakeFirst();
}

/** The latest visit of this code that isn't over, on this device or with this cookie. */
export async function findUnfinished(
  db: Db,
  holder: { token_id: string; device_id: string; cookie_hash: string | null },
  now: Date,
): Promise<SessionRow | undefined> {
  return db
    .selectFrom('active_sessions')
    .selectAll()
    .where('token_id', '=', holder.token_id)
    .where((eb) =>
      eb.or([eb('device_id', '=', holder.device_id), eb('cookie_hash', '=', holder.cookie_hash ?? '')]),
    )
    .where('completed_at', 'is', null)
    .where('started_at', '>', ago(now, VISIT_LIFE_MS))
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .executeTakeFirst();
}

/** The name the administrator gave to this code, if it is still there. */
export async function codeName(db: Db, token_id: string): Promise<string | undefined> {
  const row = await db.selectFrom('tokens').select('nome').where('id', '=', token_id).executeTakeFirst();
  return row?.nome;
}

/** Adds a session. False when its attempt id is taken: then nothing was written. */
export async function insertSession(tx: Db, session: NewSession): Promise<boolean> {
  const row = await tx
    .insertInto('active_sessions')
    .values(session)
    .onConflict((conflict) => conflict.column('attempt_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Rows are held by a change that changes nothing. */
const held = (tx: Db) =>
  tx
    .updateTable('active_sessions')
    .set((eb) => ({ exit_seq: eb.ref('exit_seq') }))
    .returningAll();

/** The row as it is now, held until the transaction ends: nobody else changes it meanwhile. */
export async function lockSession(tx: Db, id: string): Promise<SessionRow | undefined> {
  return held(tx).where('id', '=', id).executeTakeFirst();
}

/** The code's visits that aren't completed, held likewise. */
export async function lockUnfinishedOf(tx: Db, token_id: string): Promise<SessionRow[]> {
  return held(tx).where('token_id', '=', token_id).where('completed_at', 'is', null).execute();
}

export type SessionChange = Partial<
  Pick<
    SessionRow,
    | 'is_active'
    | 'last_activity'
    | 'disconnected_at'
    | 'disconnection_reason'
    | 'cookie_hash'
    | 'step'
    | 'phrase'
    | 'second'
    | 'background_at'
    | 'completed_at'
    | 'exit_point'
    | 'exit_seq'
    | 'life'
    | 'left_lives'
  >
>;

export async function updateSession(tx: Db, id: string, change: SessionChange): Promise<void> {
  await tx.updateTable('active_sessions').set(change).where('id', '=', id).execute();
}

/** Counts an error the page reported, up to `limit`. False beyond it. */
export async function countReportedError(tx: Db, id: string, limit: number): Promise<boolean> {
  const row = await tx
    .updateTable('active_sessions')
    .set((eb) => ({ reported_errors: eb('reported_errors', '+', 1) }))
    .where('id', '=', id)
    .where('reported_errors', '<', limit)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Closes one session; undefined when it was closed already. */
export async function closeOne(
  tx: Db,
  id: string,
  reason: ClosingReason,
  now: Date,
): Promise<ClosedSession | undefined> {
  return tx
    .updateTable('active_sessions')
    .set(closed(reason, now))
    .where('id', '=', id)
    .where('is_active', '=', true)
    .returning(EVENT_FIELDS)
    .executeTakeFirst();
}

/** Closes every session that has been silent for too long or has reached the end of its life. */
export async function closeSilent(tx: Db, now: Date): Promise<ClosedSession[]> {
  return tx
    .updateTable('active_sessions')
    .set(closed('timeout', now))
    .where('is_active', '=', true)
    .where((eb) =>
      eb.or([
        eb.and([eb('background_at', 'is', null), eb('last_activity', '<=', ago(now, SILENCE_MS.foreground))]),
        // Heard by a clock that has been set back since: whoever is there is heard again within half a minute.
        eb('last_activity', '>', ago(now, -SILENCE_MS.foreground)),
        eb('background_at', '<=', ago(now, SILENCE_MS.background)),
        eb('started_at', '<=', ago(now, VISIT_LIFE_MS)),
      ]),
    )
    .returning(EVENT_FIELDS)
    .execute();
}

/** Whoever was heard this long ago may still come back to the same visit, in milliseconds. */
const COMING_BACK_MS = 30 * MINUTE_MS;

/** Is a visit under way, or was it a short while ago and isn't over? */
export async function isAnybodyInside(db: Db, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('active_sessions')
    .select('id')
    .where('completed_at', 'is', null)
    .where('last_activity', '>', ago(now, COMING_BACK_MS))
    .where('started_at', '>', ago(now, VISIT_LIFE_MS))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The snapshots of the visits that can still go on, each once. */
export async function livingSnapshots(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('active_sessions')
    .select('snapshot')
    .distinct()
    .where('completed_at', 'is', null)
    .where('started_at', '>', ago(now, VISIT_LIFE_MS))
    .execute();
  return rows.map(({ snapshot }) => snapshot);
}

function closed(reason: ClosingReason, now: Date): SessionChange {
  return {
    is_active: false,
    disconnected_at: now.toISOString(),
    disconnection_reason: reason,
    background_at: null,
  };
}

function ago(now: Date, ms: number): string {
  return new Date(now.getTime() - ms).toISOString();
}
