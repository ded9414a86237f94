import { FORCED_REASONS, type ForcedReason } from '../../../domain/evening.ts';
import { SESSION_TIMEOUT_MS, VISIT_LIFETIME_MS } from '../../../domain/limits.ts';
import type { Db } from '../../db/tables.ts';
import { type SessionRow, timestampBefore } from './sessions.repo.ts';

export type ClosingReason = 'user_logout' | 'timeout' | ForcedReason;

/** Columns that events about a session need. */
const EVENT_FIELDS = ['id', 'token_id', 'token_value', 'device_id', 'user_agent', 'exit_point'] as const;
export type ClosedSession = Pick<SessionRow, (typeof EVENT_FIELDS)[number]>;

/** Closes one session. Returns undefined if it was closed already. */
export async function closeSessionRow(
  tx: Db,
  id: string,
  reason: ClosingReason,
  now: Date,
): Promise<ClosedSession | undefined> {
  return closing(tx, reason, now).where('id', '=', id).returning(EVENT_FIELDS).executeTakeFirst();
}

export async function closeSessionsOfToken(
  tx: Db,
  token_id: string,
  reason: ForcedReason,
  now: Date,
): Promise<ClosedSession[]> {
  return closing(tx, reason, now).where('token_id', '=', token_id).returning(EVENT_FIELDS).execute();
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
export async function closeSilentSessions(tx: Db, now: Date): Promise<ClosedSession[]> {
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
    .returning(EVENT_FIELDS)
    .execute();
}

/** Update that closes open visits; callers add a condition. */
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
