import type { Disconnection, SessionVerdict } from '../../../contract/visit.ts';
import { isForced, type VisitState, visitState } from '../../../domain/evening.ts';
import type { ExitPoint } from '../../../domain/itinerary.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { publishChange } from '../../live/bus.ts';
import { findSiteSettings } from '../config/config.ts';
import { addUnloaded, hasUnloaded, isOtherPage, type PageLoadId, pageLoadChange } from './page-life.ts';
import { findById, type GuardRow, lockSession, updateSession } from './sessions.repo.ts';
import { closeSession, reopenSession } from './sessions.service.ts';
import type { VisitHolder } from './visitor-session.ts';

type PresenceDeps = Pick<Deps, 'db' | 'inTransaction' | 'now' | 'live' | 'log'>;

/** Heartbeats closer together than this, in ms, are answered but not counted. It also excludes one in flight when the page was closed. */
const MIN_HEARTBEAT_INTERVAL_MS = 5_000;

/** Refreshes `last_activity` (spec 4) and returns the visit's state, for pages whose live channel is blocked. */
export async function heartbeat(
  deps: PresenceDeps,
  holder: VisitHolder,
  pageLoadId?: PageLoadId,
): Promise<SessionVerdict> {
  const state = await stateAfterHeartbeat(deps, holder, pageLoadId);
  if (state === 'ended') return { state, disconnection: null };
  if (state !== 'disconnected') return { state: 'open', disconnection: null };
  return { state, disconnection: await disconnectionOf(deps.db, holder.row.id) };
}

async function stateAfterHeartbeat(
  deps: PresenceDeps,
  { row, state }: VisitHolder,
  pageLoadId: PageLoadId,
): Promise<VisitState> {
  if (state === 'ended' || state === 'disconnected') return state;
  if (hasUnloaded(row, pageLoadId) || !isDue(row, deps.now())) return state;
  const after = await deps.inTransaction((tx) => recordHeartbeat(tx, row.id, pageLoadId, deps.now()));
  publishChange(deps, 'sessions', ...(after === 'paused' ? (['logs'] as const) : []));
  return after;
}

async function recordHeartbeat(tx: Db, id: string, pageLoadId: PageLoadId, now: Date): Promise<VisitState> {
  const row = await lockSession(tx, id);
  if (row === undefined) return 'ended';
  const state = visitState(row, now);
  if (hasUnloaded(row, pageLoadId)) return state;
  const activity = { last_activity: now.toISOString(), background_at: null, ...pageLoadChange(pageLoadId) };
  if (state === 'open') await updateSession(tx, id, activity);
  if (state === 'paused' && isDue(row, now)) await reopenSession(tx, row, now, pageLoadId);
  return state;
}

type Timed = Pick<GuardRow, 'last_activity' | 'disconnected_at' | 'disconnection_reason'>;

function isDue({ last_activity, disconnected_at, disconnection_reason }: Timed, now: Date): boolean {
  const left = disconnection_reason === 'user_logout' ? disconnected_at : null;
  return Math.abs(now.getTime() - Date.parse(left ?? last_activity)) >= MIN_HEARTBEAT_INTERVAL_MS;
}

/** Returns why the administrator ended this visit, and the contact (spec 8). A deleted or inactive code counts as revoked. */
export async function disconnectionOf(db: Db, id: string): Promise<Disconnection> {
  const site = await findSiteSettings(db);
  const reason = (await findById(db, id))?.disconnection_reason ?? null;
  return { reason: isForced(reason) ? reason : 'token_revoked', contatto: site?.contatto ?? null };
}

/** `seq` grows with each report of a device. `state`: hidden, left, or still open after the questions (spec 7). */
export type ExitReport = {
  state: 'background' | 'closed' | 'open';
  exitPoint: ExitPoint;
  seq: number;
  life?: PageLoadId;
};

/**
 * `track-user-exit` (spec 4 «Exit tracking», decision 001). 'background' marks the visit as hidden, 'closed' closes it with `user_logout`;
 * each stores the exit point. Ignores repeated and outdated reports, and those of a page load that isn't the latest:
 * after a reload, they don't mean that the visitor left.
 */
export async function trackUserExit(
  deps: Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>,
  { row: { id } }: VisitHolder,
  { state, exitPoint, seq, life: pageLoadId }: ExitReport,
): Promise<void> {
  await deps.inTransaction(async (tx) => {
    const now = deps.now();
    const row = await lockSession(tx, id);
    if (row === undefined) return;
    if (state === 'closed' && pageLoadId !== undefined)
      await updateSession(tx, id, { left_lives: addUnloaded(row, pageLoadId) });
    if (seq <= row.exit_seq || visitState(row, now) !== 'open' || isOtherPage(row, pageLoadId)) return;
    const exitChange = { exit_seq: seq, exit_point: exitPoint };
    await updateSession(
      tx,
      id,
      state === 'background' ? { ...exitChange, background_at: now.toISOString() } : exitChange,
    );
    if (state === 'closed') await closeSession(tx, id, 'user_logout', now);
  });
  publishChange(deps, 'sessions', ...(state === 'closed' ? (['logs'] as const) : []));
}
