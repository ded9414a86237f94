import { type ForcedReason, isForced } from '../../../domain/evening.ts';
import { EXIT_POINTS } from '../../../domain/itinerary.ts';
import { ABANDONED_AFTER_MS } from '../../../domain/limits.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { insertEvents, type NewEvent } from '../../event-log/event-log.repo.ts';
import { deleteExpiredFailures } from '../../limits/failures.repo.ts';
import { publishChange } from '../../live/bus.ts';
import { cancelForVisit, enqueueNotification } from '../notifications/notifications.repo.ts';
import {
  blockResume,
  type ClosedSession,
  type ClosingReason,
  closeSessionRow,
  closeSessionsOfToken,
  closeSilentSessions,
} from './closing.repo.ts';
import { type PageLoadId, pageLoadChange } from './page-life.ts';
import { codeName, type SessionRow, updateSession } from './sessions.repo.ts';

/**
 * Closes an open session and logs its end: `forced_disconnect` if the administrator did it, otherwise `session_ended`.
 * Queues a notification that the end was reached, or a delayed one that it wasn't; none after a forced end.
 * Returns false, and logs nothing, if it was closed already.
 */
export async function closeSession(
  tx: Db,
  id: string,
  reason: ClosingReason,
  now: Date,
  more: { completed?: true } = {},
): Promise<boolean> {
  const session = await closeSessionRow(tx, id, reason, now);
  if (session === undefined) return false;
  await insertEvents(tx, [closingEvent(session, reason, more)], now);
  if (more.completed) await notifyCompletion(tx, session, now);
  else if (!isForced(reason)) await notifyStop(tx, session, now);
  return true;
}

/** Closes every open visit of a code with one `forced_disconnect` each. Closed ones can't resume. */
export async function disconnectSessions(
  tx: Db,
  token_id: string,
  reason: ForcedReason,
  now: Date,
): Promise<void> {
  await blockResume(tx, token_id, reason);
  const sessions = await closeSessionsOfToken(tx, token_id, reason, now);
  await insertEvents(
    tx,
    sessions.map((session) => closingEvent(session, reason)),
    now,
  );
}

/**
 * Reopens a closed session: the same row, and no use is counted. Logs `session_started` as resumed,
 * so that starts and ends alternate in the log.
 */
export async function reopenSession(
  tx: Db,
  session: SessionRow,
  now: Date,
  pageLoadId?: PageLoadId,
): Promise<SessionRow> {
  const change = {
    ...pageLoadChange(pageLoadId),
    is_active: true,
    last_activity: now.toISOString(),
    disconnected_at: null,
    disconnection_reason: null,
    background_at: null,
  };
  await updateSession(tx, session.id, change);
  await insertEvents(tx, [startingEvent(session, { resumed: true })], now);
  await cancelForVisit(tx, session.id, 'visit_stopped');
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

async function notifyCompletion(tx: Db, { token_id, token_value }: ClosedSession, now: Date): Promise<void> {
  const nome = await codeName(tx, token_id);
  await enqueueNotification(tx, { type: 'visit_completed', token_value, nome }, now);
}

/** Sent after a delay, unless the visitor returns before. */
async function notifyStop(tx: Db, session: ClosedSession, now: Date): Promise<void> {
  const { id: session_id, token_id, token_value } = session;
  const nome = await codeName(tx, token_id);
  const exit_point = EXIT_POINTS.find((point) => point === session.exit_point) ?? null;
  await enqueueNotification(tx, { type: 'visit_stopped', token_value, nome, exit_point }, now, {
    session_id,
    after: ABANDONED_AFTER_MS,
  });
}

function holderOf({ token_id, token_value, device_id, user_agent }: Omit<ClosedSession, 'exit_point'>) {
  return { token_id, token_value, device_id, user_agent };
}

/**
 * Closes sessions that were silent: for 90 s, for 10 minutes in the background, and all after 24 hours. Returns their number.
 * Also deletes expired failure counts.
 */
export async function sweepSessions(
  deps: Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>,
): Promise<number> {
  const closed = await deps.inTransaction(async (tx) => {
    const now = deps.now();
    const sessions = await closeSilentSessions(tx, now);
    await insertEvents(
      tx,
      sessions.map((session) => closingEvent(session, 'timeout')),
      now,
    );
    for (const session of sessions) await notifyStop(tx, session, now);
    await deleteExpiredFailures(tx, now);
    return sessions.length;
  });
  if (closed > 0) publishChange(deps, 'sessions', 'logs');
  return closed;
}
