import type { Insertable, Selectable } from 'kysely';
import { MINUTE_MS, VISIT_LIFETIME_MS } from '../../../domain/limits.ts';
import { placeholdersFor, statement } from '../../db/statement.ts';
import type { ActiveSessionsTable, Db } from '../../db/tables.ts';

export type SessionRow = Selectable<ActiveSessionsTable>;
/** A visit at its beginning. */
export type NewSession = Omit<
  Insertable<ActiveSessionsTable>,
  'disconnected_at' | 'disconnection_reason' | 'background_at' | 'completed_at' | 'left_lives'
>;

export async function findById(db: Db, id: string): Promise<SessionRow | undefined> {
  return db.selectFrom('active_sessions').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findByCookie(db: Db, cookie_hash: string): Promise<SessionRow | undefined> {
  return (await byCookie(db, { cookie_hash }))[0];
}

const byCookie = statement<{ cookie_hash: string }>()((db, value) =>
  db.selectFrom('active_sessions').selectAll().where('cookie_hash', '=', value.cookie_hash),
);

/** Session columns that every request needs. */
export const GUARD_FIELDS = [
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
  'snapshot_hash',
] as const;

const heldByCookie = statement<{ cookie_hash: string }>()((db, value) =>
  db
    .selectFrom('active_sessions')
    .leftJoin('tokens', 'tokens.id', 'active_sessions.token_id')
    .select(GUARD_FIELDS)
    .select('tokens.attivo as code_active')
    .where('cookie_hash', '=', value.cookie_hash),
);

export type GuardRow = Omit<Awaited<ReturnType<typeof heldByCookie>>[number], 'code_active'>;

/** Returns the session of a cookie, and whether its code exists and is active, in one query. */
export async function findForGuard(
  db: Db,
  cookie_hash: string,
): Promise<{ row: GuardRow; code_active: boolean } | undefined> {
  const [found] = await heldByCookie(db, { cookie_hash });
  if (found === undefined) return undefined;
  const { code_active, ...row } = found;
  return { row, code_active: code_active ?? false };
}

const byAttempt = statement<{ attempt_id: string }>()((db, value) =>
  db.selectFrom('active_sessions').selectAll().where('attempt_id', '=', value.attempt_id),
);

export async function findByAttempt(db: Db, attempt_id: string): Promise<SessionRow | undefined> {
  return (await byAttempt(db, { attempt_id }))[0];
}

/**
 * Returns the newest uncompleted visit of the code with this normalised value, on this device or with this cookie.
 * A code restored from the bin doesn't restore its visits.
 */
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

type OfCode = { normalized: string; since: string };

const unfinished = (db: Db, { normalized, since }: OfCode) =>
  db
    .selectFrom('active_sessions')
    .selectAll()
    .where('token_id', '=', (eb) => eb.selectFrom('tokens').select('id').where('normalized', '=', normalized))
    .where('completed_at', 'is', null)
    .where((eb) =>
      eb.or([eb('disconnection_reason', 'is', null), eb('disconnection_reason', '!=', 'token_deleted')]),
    )
    .where('started_at', '>', since)
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .limit(1);

const unfinishedOfDevice = statement<OfCode & { device_id: string }>()((db, value) =>
  unfinished(db, value).where('device_id', '=', value.device_id),
);
const unfinishedOfCookie = statement<OfCode & { cookie_hash: string }>()((db, value) =>
  unfinished(db, value).where('cookie_hash', '=', value.cookie_hash),
);

/** Returns the newest uncompleted visit of a code that last entered under another tunnel address and was active after `since`. */
export async function findCutOff(
  db: Db,
  { token_id, tunnel_address, since }: { token_id: string; tunnel_address: string; since: string },
): Promise<SessionRow | undefined> {
  return db
    .selectFrom('active_sessions')
    .selectAll()
    .where('token_id', '=', token_id)
    .where('completed_at', 'is', null)
    .where((eb) =>
      eb.or([eb('disconnection_reason', 'is', null), eb('disconnection_reason', '!=', 'token_deleted')]),
    )
    .where('tunnel_address', '!=', tunnel_address)
    .where('last_activity', '>', since)
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** Returns the code's name, or undefined if the code was deleted. */
export async function codeName(db: Db, token_id: string): Promise<string | undefined> {
  const row = await db.selectFrom('tokens').select('nome').where('id', '=', token_id).executeTakeFirst();
  return row?.nome;
}

/** Inserts a session. Returns false, and writes nothing, if its attempt id exists already. */
export async function insertSession(tx: Db, session: NewSession): Promise<boolean> {
  return (await oneSession(tx, session)).length > 0;
}

const oneSession = statement<NewSession>()((tx, value) =>
  tx
    .insertInto('active_sessions')
    .values(
      placeholdersFor(value, [
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
        'step',
        'phrase',
        'second',
        'exit_seq',
        'reported_errors',
        'life',
        'capabilities',
        'tunnel_address',
      ]),
    )
    .onConflict((conflict) => conflict.column('attempt_id').doNothing())
    .returning('id'),
);

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
    | 'tunnel_address'
  >
>;

export async function updateSession(tx: Db, id: string, change: SessionChange): Promise<void> {
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
