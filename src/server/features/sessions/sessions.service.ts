import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { deleteExpiredLimits } from '../access/failed-codes.repo.ts';
import { announce } from '../live/announce.ts';
import { insertEvents, type NewEvent } from '../logs/logs.repo.ts';
import { heardFrom, type PageLife } from './page-life.ts';
import {
  type ClosedSession,
  type ClosingReason,
  closeOne,
  closeSilent,
  type SessionRow,
  updateSession,
} from './sessions.repo.ts';
import { isForced } from './visit-state.ts';

/**
 * Closes an open session and logs that it ended: `forced_disconnect` when the administrator did it, `session_ended` otherwise.
 * Returns false when it was closed already; then nothing is logged.
 */
export async function closeSession(
  tx: Db,
  id: string,
  reason: ClosingReason,
  now: Date,
  more: { completed?: true } = {},
): Promise<boolean> {
  const session = await closeOne(tx, id, reason, now);
  if (session === undefined) return false;
  await insertEvents(tx, [closingEvent(session, reason, more)], now);
  return true;
}

/**
 * Opens a closed session again: the same row, nothing counted. It logs a `session_started` marked as resumed, so that openings and
 * closings alternate in the log.
 */
export async function reopenSession(
  tx: Db,
  session: SessionRow,
  now: Date,
  life?: PageLife,
): Promise<SessionRow> {
  const change = {
    ...heardFrom(life),
    is_active: true,
    last_activity: now.toISOString(),
    disconnected_at: null,
    disconnection_reason: null,
    background_at: null,
  };
  await updateSession(tx, session.id, change);
  await insertEvents(tx, [startingEvent(session, { resumed: true })], now);
  return { ...session, ...change };
}

export function startingEvent(
  session: Omit<ClosedSession, 'exit_point'>,
  more: { resumed?: true } = {},
): NewEvent {
  return {
    event_type: 'session_started',
    ...holderOf(session),
    success: true,
    metadata: { session_id: session.id, ...more },
  };
}

function closingEvent(
  session: ClosedSession,
  reason: ClosingReason,
  more: { completed?: true } = {},
): NewEvent {
  return {
    event_type: isForced(reason) ? 'forced_disconnect' : 'session_ended',
    ...holderOf(session),
    success: true,
    metadata: { session_id: session.id, reason, exit_point: session.exit_point ?? '', ...more },
  };
}

function holderOf({ token_id, token_value, device_id, user_agent }: Omit<ClosedSession, 'exit_point'>) {
  return { token_id, token_value, device_id, user_agent };
}

/**
 * Closes the sessions that fell silent: after 90 s, after 10 minutes in the background, after 24 hours in any case.
 * Returns how many. Counters of failed codes whose time is over go too.
 */
export async function sweepSessions(
  deps: Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>,
): Promise<number> {
  const closed = await deps.inTransaction(async (tx) => {
    const now = deps.now();
    const sessions = await closeSilent(tx, now);
    await insertEvents(
      tx,
      sessions.map((session) => closingEvent(session, 'timeout')),
      now,
    );
    await deleteExpiredLimits(tx, now);
    return sessions.length;
  });
  if (closed > 0) announce(deps, 'sessions', 'logs');
  return closed;
}
