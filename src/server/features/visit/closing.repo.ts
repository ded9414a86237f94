import { SESSION_TIMEOUT_MS, VISIT_LIFETIME_MS } from '../../../domain/limits.ts';
import { FORCED_REASONS, type ForcedReason } from '../../../domain/visit-state.ts';
import type { Db } from '../../db/tables.ts';
import { type SessionRow, timestampBefore } from './sessions.repo.ts';

export type ClosingReason = 'user_logout' | 'timeout' | ForcedReason;

/** What the events about a session need of it. */
const EVENT_FIELDS = ['id', 'token_id', 'token_value', 'device_id', 'user_agent', 'exit_point'] as const;
export type ClosedSession = Pick<SessionRow, (typeof EVENT_FIELDS)[number]>;

/** Closes one session; undefined when it was closed already. */
export async function closeSessionRow(
  tx: Db,
  id: string,
  reason: ClosingReason,
  now: Date,
): Promise<ClosedSession | undefined> {
  return closing(tx, reason, now).where('id', '=', id).returning(EVENT_FIELDS).executeTakeFirst();
}

/** Closes every open visit of a code. */
export async function closeSessionsOfToken(
  tx: Db,
  token_id: string,
  reason: ForcedReason,
  now: Date,
): Promise<ClosedSession[]> {
  return closing(tx, reason, now).where('token_id', '=', token_id).returning(EVENT_FIELDS).execute();
}

/** Those that were closed already, and not completed, can't be taken up again; what was forced stays as it is told, but for a deletion. */
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

/** Closes every session that has been silent for too long or has reached the end of its life. */
export async function closeSilentSessions(tx: Db, now: Date): Promise<ClosedSession[]> {
  return closing(tx, 'timeout', now)
    .where((eb) =>
      eb.or([
        eb.and([
          eb('background_at', 'is', null),
          eb('last_activity', '<=', timestampBefore(now, SESSION_TIMEOUT_MS.foreground)),
        ]),
        // Heard by a clock that has been set back since: whoever is there is heard again within half a minute.
        eb('last_activity', '>', timestampBefore(now, -SESSION_TIMEOUT_MS.foreground)),
        eb('background_at', '<=', timestampBefore(now, SESSION_TIMEOUT_MS.background)),
        eb('started_at', '<=', timestampBefore(now, VISIT_LIFETIME_MS)),
      ]),
    )
    .returning(EVENT_FIELDS)
    .execute();
}

/** Closes of the open visits those that are asked for. */
const closing = (tx: Db, reason: ClosingReason, now: Date) =>
  tx
    .updateTable('active_sessions')
    .set({
      is_active: false,
      disconnected_at: now.toISOString(),
      disconnection_reason: reason,
      background_at: null,
    })
    .where('is_active', '=', true);
