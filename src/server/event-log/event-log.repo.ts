import { randomBytes, randomUUID } from 'node:crypto';
import type { SecurityEvent } from '../../contract/admin/logs.ts';
import { placeholdersFor, statement } from '../db/statement.ts';
import type { AccessLogsTable, Db, EventLogsTable } from '../db/tables.ts';

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

export type NewEvent = {
  event_type: EventType;
  token_id: string | null;
  token_value: string | null;
  device_id: string | null;
  user_agent: string | null;
  success: boolean;
  error_message?: string;
  metadata: Record<string, string | boolean>;
};

export type NewAccess = {
  token_id: string | null;
  token_value: string;
  success: boolean;
  error_message: string | null;
};

/** Rows per statement, well below the databases' limits of bound values. */
const BATCH_SIZE = 500;
/** Up to this many rows are inserted one by one with a compiled statement. */
const MAX_SINGLE_INSERTS = 3;

/** Inserts events, in the transaction of the change they record. */
export async function insertEvents(tx: Db, events: readonly NewEvent[], now: Date): Promise<void> {
  const rows = events.map((event) => eventRow(event, now));
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

function eventRow({ metadata, error_message, ...event }: NewEvent, now: Date) {
  return {
    id: eventId(),
    ...event,
    error_message: error_message ?? null,
    metadata: JSON.stringify(metadata),
    created_at: now.toISOString(),
  };
}

/** Inserts an attempt to enter (spec 7 «Access»). */
export async function insertAccess(tx: Db, access: NewAccess, now: Date): Promise<void> {
  await oneAccess(tx, { id: randomUUID(), ...access, created_at: now.toISOString() });
}

const oneAccess = statement<AccessLogsTable>()((tx, value) =>
  tx
    .insertInto('access_logs')
    .values(
      placeholdersFor(value, ['id', 'token_id', 'token_value', 'success', 'error_message', 'created_at']),
    ),
);
