import type { Insertable, Selectable } from 'kysely';
import { FORCED_REASONS, type ForcedReason } from '../../../domain/evening.ts';
import { MINUTE_MS, SESSION_TIMEOUT_MS, VISIT_LIFETIME_MS } from '../../../domain/limits.ts';
import { placeholdersFor, statement } from '../../db/statement.ts';
import type { ActiveSessionsTable, Db } from '../../db/tables.ts';

export type SessionRow = Selectable<ActiveSessionsTable>;

const heldByCookie = statement<{ cookie_hash: string }>()((db, value) =>
  db
    .selectFrom('active_sessions')
    .leftJoin('tokens', 'tokens.id', 'active_sessions.token_id')
    .selectAll('active_sessions')
    .select('tokens.attivo as code_active')
    .where('cookie_hash', '=', value.cookie_hash),
);

/** Returns the session of a cookie, and whether its code is active (null if it doesn't exist), in one query. */
export async function findByCookie(
  db: Db,
  cookie_hash: string,
): Promise<(SessionRow & { code_active: boolean | null }) | undefined> {
  return (await heldByCookie(db, { cookie_hash }))[0];
}

const byAttempt = statement<{ attempt_id: string }>()((db, value) =>
  db.selectFrom('active_sessions').selectAll().where('attempt_id', '=', value.attempt_id),
);

export async function findByAttempt(db: Db, attempt_id: string): Promise<SessionRow | undefined> {
  return (await byAttempt(db, { attempt_id }))[0];
}

/** The newest uncompleted visit. A code restored from the bin doesn't restore its visits. */
const newestUnfinished = (db: Db) =>
  db
    .selectFrom('active_sessions')
    .selectAll()
    .where('completed_at', 'is', null)
    .where((eb) =>
      eb.or([eb('disconnection_reason', 'is', null), eb('disconnection_reason', '!=', 'token_deleted')]),
    )
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .limit(1);

type OfCode = { normalized: string; since: string };

const unfinishedOfCode = (db: Db, { normalized, since }: OfCode) =>
  newestUnfinished(db)
    .where('token_id', '=', (eb) => eb.selectFrom('tokens').select('id').where('normalized', '=', normalized))
    .where('started_at', '>', since);

const unfinishedOfDevice = statement<OfCode & { device_id: string }>()((db, value) =>
  unfinishedOfCode(db, value).where('device_id', '=', value.device_id),
);
const unfinishedOfCookie = statement<OfCode & { cookie_hash: string }>()((db, value) =>
  unfinishedOfCode(db, value).where('cookie_hash', '=', value.cookie_hash),
);

/** Returns the newest uncompleted visit of the code with this normalised value, on this device or with this cookie. */
export async function findUnfinished(
  db: Db,
  holder: { normalized: string; device_id: string; cookie_hash: string | null },
  now: Date,
): Promise<SessionRow | undefined> {
  const { normalized, device_id, cookie_hash } = holder;
  const query = { normalized, since: timestampBefore(now, VISIT_LIFETIME_MS) };
  // One query for both would read all visits of the code.
  const found = await Promise.all([
    unfinishedOfDevice(db, { ...query, device_id }),
    cookie_hash === null ? [] : unfinishedOfCookie(db, { ...query, cookie_hash }),
  ]);
  return found
    .flat()
    .toSorted((a, b) => b.started_at.localeCompare(a.started_at) || (a.id < b.id ? -1 : 1))
    .at(0);
}

/** Returns the newest uncompleted visit of a code that last entered under another tunnel address and was active after `since`. */
export async function findCutOff(
  db: Db,
  { token_id, tunnel_address, since }: { token_id: string; tunnel_address: string; since: string },
): Promise<SessionRow | undefined> {
  return newestUnfinished(db)
    .where('token_id', '=', token_id)
    .where('tunnel_address', '!=', tunnel_address)
    .where('last_activity', '>', since)
    .executeTakeFirst();
}

/** Returns the code's name, or undefined if the code was deleted. */
export async function codeName(db: Db, token_id: string): Promise<string | undefined> {
  const row = await db.selectFrom('tokens').select('nome').where('id', '=', token_id).executeTakeFirst();
  return row?.nome;
}

const NEW_COLUMNS = [
  'id',
  'token_id',
  'token_value',
  'device_id',
  'user_agent',
  'is_active',
  'started_at',
  'last_activity',
  'cookie_hash',
  'attempt_id',
  'snapshot_hash',
  'exit_point',
  'life',
  'capabilities',
  'tunnel_address',
] as const;
/** A visit at its beginning. */
export type NewSession = Pick<Insertable<ActiveSessionsTable>, (typeof NEW_COLUMNS)[number]>;

const oneSession = statement<NewSession>()((tx, value) =>
  tx
    .insertInto('active_sessions')
    .values(placeholdersFor(value, NEW_COLUMNS))
    .onConflict((conflict) => conflict.column('attempt_id').doNothing())
    .returning('id'),
);

/** Inserts a session. Returns false, and writes nothing, if its attempt id exists already. */
export async function insertSession(tx: Db, session: NewSession): Promise<boolean> {
  return (await oneSession(tx, session)).length > 0;
}

/** Locks rows by an update that changes nothing. */
const held = (tx: Db) => tx.updateTable('active_sessions').set((eb) => ({ exit_seq: eb.ref('exit_seq') }));

const heldById = statement<{ id: string }>()((tx, value) =>
  held(tx).where('id', '=', value.id).returningAll(),
);

/** Returns the current row and locks it until the transaction ends. */
export async function lockSession(tx: Db, id: string): Promise<SessionRow | undefined> {
  return (await heldById(tx, { id }))[0];
}

/** Locks the code's uncompleted visits and returns their ids. */
export async function lockUnfinishedOf(tx: Db, token_id: string): Promise<string[]> {
  const rows = await held(tx)
    .where('token_id', '=', token_id)
    .where('completed_at', 'is', null)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function updateSession(
  tx: Db,
  id: string,
  change: Partial<Omit<SessionRow, 'id' | 'token_id' | 'attempt_id'>>,
): Promise<void> {
  await tx.updateTable('active_sessions').set(change).where('id', '=', id).execute();
}

/** Counts an error that the page reported. Returns false beyond `limit`. */
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

/** Time in ms after the last activity in which a visitor may return. */
const RETURN_WINDOW_MS = 30 * MINUTE_MS;

/** Returns true if a visit is in progress, or was recently and isn't completed. */
export async function hasActiveVisit(db: Db, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('active_sessions')
    .select('id')
    .where('completed_at', 'is', null)
    .where('last_activity', '>', timestampBefore(now, RETURN_WINDOW_MS))
    .where('started_at', '>', timestampBefore(now, VISIT_LIFETIME_MS))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the distinct snapshot hashes of visits that can continue. */
export async function resumableSnapshots(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('active_sessions')
    .select('snapshot_hash')
    .distinct()
    .where('completed_at', 'is', null)
    .where('started_at', '>', timestampBefore(now, VISIT_LIFETIME_MS))
    .execute();
  return rows.map(({ snapshot_hash }) => snapshot_hash);
}

/** Returns the stored form of the time `ms` before `now`. */
export function timestampBefore(now: Date, ms: number): string {
  return new Date(now.getTime() - ms).toISOString();
}

export type ClosingReason = 'user_logout' | 'timeout' | ForcedReason;

/** Update that closes open visits and returns them; callers add a condition. */
const closing = (tx: Db, reason: ClosingReason, now: Date) =>
  tx
    .updateTable('active_sessions')
    .set({
      is_active: false,
      disconnected_at: now.toISOString(),
      disconnection_reason: reason,
      background_at: null,
    })
    .where('is_active', '=', true)
    .returningAll();

/** Closes one session. Returns undefined if it was closed already. */
export async function closeSessionRow(
  tx: Db,
  id: string,
  reason: ClosingReason,
  now: Date,
): Promise<SessionRow | undefined> {
  return closing(tx, reason, now).where('id', '=', id).executeTakeFirst();
}

export async function closeSessionsOfToken(
  tx: Db,
  token_id: string,
  reason: ForcedReason,
  now: Date,
): Promise<SessionRow[]> {
  return closing(tx, reason, now).where('token_id', '=', token_id).execute();
}

/** Prevents closed, uncompleted visits from resuming. An earlier forced reason stays, unless the code is deleted now. */
export async function blockResume(tx: Db, token_id: string, reason: ForcedReason): Promise<void> {
  const paused = tx
    .updateTable('active_sessions')
    .set({ disconnection_reason: reason })
    .where('token_id', '=', token_id)
    .where('is_active', '=', false)
    .where('completed_at', 'is', null);
  const changed =
    reason === 'token_deleted'
      ? paused
      : paused.where((eb) =>
          eb.or([
            eb('disconnection_reason', 'is', null),
            eb('disconnection_reason', 'not in', FORCED_REASONS),
          ]),
        );
  await changed.execute();
}

/** Closes sessions that were silent for too long or have reached their maximum duration. */
export async function closeSilentSessions(tx: Db, now: Date): Promise<SessionRow[]> {
  return closing(tx, 'timeout', now)
    .where((eb) =>
      eb.or([
        eb.and([
          eb('background_at', 'is', null),
          eb('last_activity', '<=', timestampBefore(now, SESSION_TIMEOUT_MS.foreground)),
        ]),
        // Last activity in the future: the clock was set back since. A visitor who is present sends a heartbeat within half a minute.
        eb('last_activity', '>', timestampBefore(now, -SESSION_TIMEOUT_MS.foreground)),
        eb('background_at', '<=', timestampBefore(now, SESSION_TIMEOUT_MS.background)),
        eb('started_at', '<=', timestampBefore(now, VISIT_LIFETIME_MS)),
      ]),
    )
    .execute();
}
