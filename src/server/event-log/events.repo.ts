import { randomBytes, randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { SECURITY_EVENTS, type SecurityEvent } from '../../contract/admin/logs.ts';
import { italianDayOf } from '../../domain/days.ts';
import { placeholdersFor, statement } from '../db/statement.ts';
import type { AccessLogsTable, Db, EventLogsTable, Tables } from '../db/tables.ts';

/** Events of visits (spec 4 «Event types») and of the administrator's access. */
export type EventType =
  | SecurityEvent
  | 'session_started'
  | 'session_ended'
  | 'access_granted'
  | 'access_denied'
  | 'forced_disconnect'
  | 'token_created'
  | 'token_revoked';

export type NewEvent = Pick<
  EventLogsTable,
  'token_id' | 'token_value' | 'device_id' | 'user_agent' | 'success'
> & { event_type: EventType; error_message?: string; metadata: Record<string, string | boolean> };

/** Rows per statement, well below the databases' limits of bound values. */
const BATCH_SIZE = 500;
/** Up to this many rows are inserted one by one with a compiled statement. */
const MAX_SINGLE_INSERTS = 3;

/** Inserts events, in the transaction of the change they record. */
export async function insertEvents(tx: Db, events: readonly NewEvent[], now: Date): Promise<void> {
  const rows = events.map(({ metadata, error_message = null, ...event }) => ({
    id: eventId(),
    ...event,
    error_message,
    metadata: JSON.stringify(metadata),
    created_at: now.toISOString(),
  }));
  if (rows.length <= MAX_SINGLE_INSERTS) await Promise.all(rows.map((row) => oneEvent(tx, row)));
  else
    for (let from = 0; from < rows.length; from += BATCH_SIZE)
      await tx
        .insertInto('event_logs')
        .values(rows.slice(from, from + BATCH_SIZE))
        .execute();
}

const oneEvent = statement<EventLogsTable>()((tx, value) =>
  tx
    .insertInto('event_logs')
    .values(
      placeholdersFor(value, [
        'id',
        'event_type',
        'token_id',
        'token_value',
        'device_id',
        'user_agent',
        'success',
        'error_message',
        'metadata',
        'created_at',
      ]),
    ),
);

let lastSequence = 0;

/**
 * Returns an id of 24 hex digits. Events of one process in the same millisecond sort by it, on every database; the random second half
 * separates processes.
 */
function eventId(): string {
  lastSequence = (lastSequence + 1) % 2 ** 32;
  return lastSequence.toString(16).padStart(8, '0') + randomBytes(8).toString('hex');
}

/** Inserts an attempt to enter (spec 7 «Access»). */
export async function insertAccess(
  tx: Db,
  access: Omit<AccessLogsTable, 'id' | 'created_at'>,
  now: Date,
): Promise<void> {
  await oneAccess(tx, { id: randomUUID(), ...access, created_at: now.toISOString() });
}

const oneAccess = statement<AccessLogsTable>()((tx, value) =>
  tx
    .insertInto('access_logs')
    .values(
      placeholdersFor(value, ['id', 'token_id', 'token_value', 'success', 'error_message', 'created_at']),
    ),
);

/**
 * Counts a successful entry that started a visit on its day, in the transaction that writes the row. Must be its last statement: other
 * transactions that count on that day wait until it ends.
 */
export async function countVisit(tx: Db, moment: Date): Promise<void> {
  await incrementDay(tx, { giorno: italianDayOf(moment) });
}

const incrementDay = statement<{ giorno: string }>()((tx, { giorno }) =>
  tx
    .insertInto('visits_by_day')
    .values({ giorno, accessi: 1, visite: 1 })
    .onConflict((conflict) =>
      conflict.column('giorno').doUpdateSet((eb) => ({
        accessi: eb('visits_by_day.accessi', '+', 1),
        visite: eb('visits_by_day.visite', '+', 1),
      })),
    ),
);

/** Returns the total number of successful entries. */
export async function countAccesses(db: Db): Promise<number> {
  const { sum } = await db
    .selectFrom('visits_by_day')
    .select((eb) => eb.fn.sum('accessi').as('sum'))
    .executeTakeFirstOrThrow();
  return Number(sum ?? 0);
}

/** Returns the successful entries per day since a day. */
export async function accessesByDay(db: Db, since: string): Promise<{ giorno: string; accessi: number }[]> {
  return db.selectFrom('visits_by_day').select(['giorno', 'accessi']).where('giorno', '>=', since).execute();
}

/** Deletes failed entries and security events before a time, up to `limit` of each. Returns the number of deleted rows. */
export async function deleteFailedEntries(tx: Db, before: Date, limit: number): Promise<number> {
  const until = before.toISOString();
  const accesses = await tx
    .deleteFrom('access_logs')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('access_logs')
        .select('id')
        .where('created_at', '<', until)
        .where('success', '=', false)
        .limit(limit),
    )
    .executeTakeFirst();
  const events = await tx
    .deleteFrom('event_logs')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('event_logs')
        .select('id')
        .where('event_type', 'in', ['access_denied', ...SECURITY_EVENTS])
        .where('created_at', '<', until)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(accesses.numDeletedRows + events.numDeletedRows);
}

/** Maximum rows removed per call. */
const MAX_REMOVED_PER_CALL = 50;

/** Deletes the oldest events of a type beyond `rows`, a few per call: with a call per new event the number never exceeds it. */
export async function keepLatestEvents(tx: Db, event_type: string, rows: number): Promise<void> {
  const condition = sql`event_type = ${event_type}`;
  await removeBeyond(tx, { table: 'event_logs', condition, maxRows: rows, limit: MAX_REMOVED_PER_CALL });
}

type Trim = { table: string; condition: RawBuilder<unknown>; maxRows: number; limit: number };

/**
 * Deletes the oldest rows of a condition beyond a maximum, at most `limit` per call. Uses two statements: while a table grows fast,
 * PostgreSQL has no statistics and would run the subquery for every row.
 * @returns creation times of the deleted rows
 */
export async function removeBeyond(tx: Db, { table, condition, maxRows, limit }: Trim): Promise<string[]> {
  const { rows: beyond } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where ${condition}
    order by created_at desc, id desc limit ${limit} offset ${maxRows}`.execute(tx);
  if (beyond.length === 0) return [];
  const { rows } = await sql<{ created_at: string }>`
    delete from ${sql.table(table)} where id in (${sql.join(beyond.map(({ id }) => id))})
    returning created_at`.execute(tx);
  return rows.map(({ created_at }) => created_at);
}

/** Deletes the rows of a small table beyond the newest `maxRows`. Row `id` stays, even after a change of the clock. */
export async function keepNewest(
  tx: Db,
  table: keyof Tables,
  { id, by, maxRows }: { id: string | number; by: string; maxRows: number },
): Promise<void> {
  const others = sql`from ${sql.table(table)} where id <> ${id}`;
  const newest = sql`select id ${others} order by ${sql.ref(by)} desc, id limit ${maxRows - 1}`;
  await sql`delete ${others} and id not in (${newest})`.execute(tx);
}

/** Deletes the counts of days before a day, `YYYY-MM-DD`. */
export async function forgetCounts(tx: Db, before: string): Promise<void> {
  await tx.deleteFrom('refused_tries_by_day').where('giorno', '<', before).execute();
}
