import { type ForcedReason, isForced, visitState } from '../../../domain/evening.ts';
import { EXIT_POINTS } from '../../../domain/itinerary.ts';
import { ABANDONED_AFTER_MS, SESSION_TIMEOUT_MS } from '../../../domain/limits.ts';
import type { Clock, ClockReadings } from '../../clock.ts';
import { tryWrite } from '../../db/counters.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { type EventType, insertEvents, type NewEvent } from '../../event-log/events.repo.ts';
import { deleteExpiredFailures } from '../../limits/failures.repo.ts';
import { publishChange } from '../../live/bus.ts';
import { startInterval } from '../../work/timers.ts';
import { cancelForVisit, enqueueNotification } from '../notifications/notifications.repo.ts';
import {
  blockResume,
  type ClosingReason,
  closeSessionRow,
  closeSessionsOfToken,
  closeSilentSessions,
  codeName,
  hasActiveVisit,
  type SessionRow,
  updateSession,
} from './sessions.repo.ts';

/**
 * Closes a session that the visitor left, and logs its end. Queues a notification that the end was reached, or a delayed one that it wasn't.
 * Does nothing if it was closed already.
 */
export async function closeSession(
  tx: Db,
  id: string,
  now: Date,
  more: { completed?: true } = {},
): Promise<void> {
  const session = await closeSessionRow(tx, id, 'user_logout', now);
  if (session === undefined) return;
  await insertEvents(tx, [closingEvent(session, 'user_logout', more)], now);
  if (!more.completed) return notifyStop(tx, session, now);
  const { token_id, token_value } = session;
  const nome = await codeName(tx, token_id);
  await enqueueNotification(tx, { type: 'visit_completed', token_value, nome }, now);
}

/** Closes every open visit of a code with one `forced_disconnect` each, without notifications. Closed ones can't resume. */
export async function disconnectSessions(
  tx: Db,
  token_id: string,
  reason: ForcedReason,
  now: Date,
): Promise<void> {
  await blockResume(tx, token_id, reason);
  const sessions = await closeSessionsOfToken(tx, token_id, reason, now);
  const events = sessions.map((session) => closingEvent(session, reason));
  await insertEvents(tx, events, now);
}

/**
 * Records that the visitor is present on a page. Reopens a session that isn't open: the same row, and no use is counted. Logs
 * `session_started` as resumed then, so that starts and ends alternate in the log.
 */
export async function recordPresence(
  tx: Db,
  session: SessionRow,
  now: Date,
  life: PageLoadId,
): Promise<void> {
  const activity = {
    last_activity: now.toISOString(),
    background_at: null,
    ...(life !== undefined && { life }),
  };
  if (visitState(session, now) === 'open') return updateSession(tx, session.id, activity);
  const reopened = { is_active: true, disconnected_at: null, disconnection_reason: null };
  await updateSession(tx, session.id, { ...activity, ...reopened });
  await insertEvents(tx, [sessionEvent(session, 'session_started', { resumed: true })], now);
  await cancelForVisit(tx, session.id, 'visit_stopped');
}

type Visited = Pick<SessionRow, 'id' | 'token_id' | 'token_value' | 'device_id' | 'user_agent'>;

/** Returns an event of a session. */
export function sessionEvent(
  { id: session_id, token_id, token_value, device_id, user_agent }: Visited,
  event_type: EventType,
  more: NewEvent['metadata'] = {},
): NewEvent {
  const metadata = { session_id, ...more };
  return { event_type, token_id, token_value, device_id, user_agent, success: true, metadata };
}

function closingEvent(session: SessionRow, reason: ClosingReason, more: { completed?: true } = {}): NewEvent {
  const event_type = isForced(reason) ? 'forced_disconnect' : 'session_ended';
  return sessionEvent(session, event_type, { reason, exit_point: session.exit_point ?? '', ...more });
}

/** Sent after a delay, unless the visitor returns before. */
async function notifyStop(tx: Db, session: SessionRow, now: Date): Promise<void> {
  const { id: session_id, token_id, token_value } = session;
  const nome = await codeName(tx, token_id);
  const exit_point = EXIT_POINTS.find((point) => point === session.exit_point) ?? null;
  const notice = { type: 'visit_stopped', token_value, nome, exit_point } as const;
  await enqueueNotification(tx, notice, now, { session_id, after: ABANDONED_AFTER_MS });
}

/** Id of a page load; undefined for a page of a version without ids. */
export type PageLoadId = string | undefined;

type PageLoads = Pick<SessionRow, 'life' | 'left_lives'>;

/** Maximum number of ended page loads per session. No request is in flight during that many reloads. */
const MAX_ENDED_LOADS = 20;

/** Returns true if this page load has ended. Late requests from it do not count as presence. */
export function hasUnloaded({ left_lives }: Pick<PageLoads, 'left_lives'>, pageLoadId: PageLoadId): boolean {
  return pageLoadId !== undefined && left_lives.split(' ').includes(pageLoadId);
}

/** Returns true if another page of the visit, a newer one or one in another tab, reported last. */
export function isOtherPage(row: Pick<PageLoads, 'life'>, pageLoadId: PageLoadId): boolean {
  return pageLoadId !== undefined && row.life !== null && row.life !== pageLoadId;
}

/** Returns the ended page loads, with this one added. */
export function addUnloaded({ left_lives }: Pick<PageLoads, 'left_lives'>, pageLoadId: string): string {
  const others = left_lives.split(' ').filter((left) => left !== '' && left !== pageLoadId);
  return [...others, pageLoadId].slice(-MAX_ENDED_LOADS).join(' ');
}

/**
 * Closes sessions that were silent: for 90 s, for 10 minutes in the background, and all after 24 hours. Returns their number.
 * Also deletes expired failure counts.
 */
export async function sweepSessions(deps: Deps): Promise<number> {
  const closed = await deps.inTransaction(async (tx) => {
    const now = deps.now();
    const sessions = await closeSilentSessions(tx, now);
    const events = sessions.map((session) => closingEvent(session, 'timeout'));
    await insertEvents(tx, events, now);
    for (const session of sessions) await notifyStop(tx, session, now);
    await deleteExpiredFailures(tx, now);
    return sessions.length;
  });
  if (closed > 0) publishChange(deps, 'sessions', 'logs');
  return closed;
}

/** Interval of the sweep, in ms. */
export const SWEEP_INTERVAL_MS = 15_000;

/**
 * Decides in each round whether to sweep. Never in the first 90 s: after a restart visitors need that time to send a heartbeat.
 * Not for 90 s after the wall clock jumped ahead by more than two rounds, or the machine slept: all visitors seem silent then.
 */
export function createSweepSchedule(start: ClockReadings) {
  let last = start;
  let quietUntil = 0;
  /** Postpones sweeps: heartbeats can't be stored now, or couldn't until now. */
  const postpone = ({ steady }: Pick<ClockReadings, 'steady'>) => {
    quietUntil = steady + SESSION_TIMEOUT_MS.foreground;
  };
  postpone(start);
  return {
    postpone,
    /** Called in each round. Returns true if it may sweep. */
    isTime(at: ClockReadings): boolean {
      const jump = at.wall - last.wall - (at.steady - last.steady);
      last = at;
      if (jump > 2 * SWEEP_INTERVAL_MS) postpone(at);
      return at.steady >= quietUntil;
    },
  };
}

/**
 * Sweeps silent sessions every 15 s, and accepts a jump of the wall clock once no visit is active.
 * Heartbeats are lost while the database fails, so sweeps pause until 90 s after recovery; a round without a sweep tests a write.
 * Returns a function that stops it and waits for a running sweep.
 */
export function startSweeper(
  deps: Deps,
  clock: Pick<Clock, 'heldJumpMs' | 'acceptJump'>,
): () => Promise<void> {
  const readings = (): ClockReadings => ({ wall: deps.now().getTime(), steady: performance.now() });
  const schedule = createSweepSchedule(readings());
  let isFailing = false;
  const round = async () => {
    const shouldSweep = schedule.isTime(readings()) && !isFailing;
    const began = performance.now();
    try {
      await (shouldSweep ? sweepSessions(deps) : tryWrite(deps));
    } catch (error) {
      isFailing = true;
      throw error;
    }
    // A database that hung and recovered counts as failed.
    if (isFailing || performance.now() - began > SWEEP_INTERVAL_MS)
      schedule.postpone({ steady: performance.now() });
    isFailing = false;
    if (clock.heldJumpMs() !== 0 && !(await hasActiveVisit(deps.db, deps.now()))) clock.acceptJump();
  };
  return startInterval(SWEEP_INTERVAL_MS, round, (error) =>
    deps.log.error({ err: error }, 'sweep of silent sessions failed'),
  ).stop;
}
