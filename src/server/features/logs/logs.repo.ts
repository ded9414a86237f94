import type { Selectable } from 'kysely';
import type { Db, EventLogsTable } from '../../db/tables.ts';

const LISTED = [
  'id',
  'event_type',
  'token_value',
  'device_id',
  'user_agent',
  'success',
  'error_message',
  'metadata',
  'created_at',
] as const;
export type ListedEvent = Pick<Selectable<EventLogsTable>, (typeof LISTED)[number]>;

/** Position in the list; later entries are older. */
export type EventPosition = Pick<ListedEvent, 'created_at' | 'id'>;

const newestFirst = (db: Db, limit: number) =>
  db.selectFrom('event_logs').select(LISTED).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit);

/** Returns the latest events, of some kinds or of all. */
export async function latestEvents(db: Db, limit: number, kinds?: readonly string[]): Promise<ListedEvent[]> {
  const latest = newestFirst(db, limit);
  return (kinds === undefined ? latest : latest.where('event_type', 'in', kinds)).execute();
}

/** Returns the events after a position in the same order; from the newest if it is null. */
export async function eventsAfter(
  db: Db,
  position: EventPosition | null,
  limit: number,
): Promise<ListedEvent[]> {
  if (position === null) return newestFirst(db, limit).execute();
  const { created_at, id } = position;
  return newestFirst(db, limit)
    .where('created_at', '<=', created_at)
    .where((eb) => eb.or([eb('created_at', '<', created_at), eb('id', '<', id)]))
    .execute();
}

export async function countEvents(db: Db, kinds?: readonly string[]): Promise<number> {
  const all = db.selectFrom('event_logs').select((eb) => eb.fn.countAll().as('count'));
  const counted = kinds === undefined ? all : all.where('event_type', 'in', kinds);
  return Number((await counted.executeTakeFirstOrThrow()).count);
}
