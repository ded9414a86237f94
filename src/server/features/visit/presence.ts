import type { Disconnection, SessionVerdict } from '../../../contract/visit.ts';
import { isForced, type VisitState, visitState } from '../../../domain/evening.ts';
import type { ExitPoint } from '../../../domain/itinerary.ts';
import type { Db } from '../../db/tables.ts';
import { publishChange } from '../../live/bus.ts';
import { findSiteSettings } from '../config/config.ts';
import { lockSession, type SessionRow, updateSession } from './sessions.repo.ts';
import {
  addUnloaded,
  closeSession,
  hasUnloaded,
  isOtherPage,
  type PageLoadId,
  recordPresence,
} from './sessions.ts';
import type { HolderCtx, VisitHolder } from './visitor.ts';

/** Heartbeats closer together than this, in ms, are answered but not counted. It also excludes one in flight when the page was closed. */
const MIN_HEARTBEAT_INTERVAL_MS = 5_000;

/** Refreshes `last_activity` (spec 4) and returns the visit's state, for pages whose live channel is blocked. */
export async function heartbeat(ctx: HolderCtx, { life }: { life?: PageLoadId }): Promise<SessionVerdict> {
  const state = await stateAfterHeartbeat(ctx, life);
  if (state === 'ended') return { state, disconnection: null };
  if (state !== 'disconnected') return { state: 'open', disconnection: null };
  return { state, disconnection: await disconnectionOf(ctx.db, ctx.holder) };
}

async function stateAfterHeartbeat(ctx: HolderCtx, life: PageLoadId): Promise<VisitState> {
  const { row: before, state } = ctx.holder;
  if (state === 'ended' || state === 'disconnected') return state;
  if (hasUnloaded(before, life) || !isDue(before, ctx.now())) return state;
  const after = await ctx.inTransaction(async (tx) => {
    const now = ctx.now();
    const row = await lockSession(tx, before.id);
    if (row === undefined) return 'ended';
    const current = visitState(row, now);
    const counts = current === 'open' || (current === 'paused' && isDue(row, now));
    if (counts && !hasUnloaded(row, life)) await recordPresence(tx, row, now, life);
    return current;
  });
  publishChange(ctx, 'sessions', ...(after === 'paused' ? (['logs'] as const) : []));
  return after;
}

function isDue({ last_activity, disconnected_at, disconnection_reason }: SessionRow, now: Date): boolean {
  const left = disconnection_reason === 'user_logout' ? disconnected_at : null;
  return Math.abs(now.getTime() - Date.parse(left ?? last_activity)) >= MIN_HEARTBEAT_INTERVAL_MS;
}

/** Returns why the administrator ended this visit, and the contact (spec 8). A deleted or inactive code counts as revoked. */
export async function disconnectionOf(
  db: Db,
  { row: { id } }: Pick<VisitHolder, 'row'>,
): Promise<Disconnection> {
  const site = await findSiteSettings(db);
  const sessions = db.selectFrom('active_sessions').select('disconnection_reason');
  const reason = (await sessions.where('id', '=', id).executeTakeFirst())?.disconnection_reason ?? null;
  return { reason: isForced(reason) ? reason : 'token_revoked', contatto: site?.contatto ?? null };
}

/** `seq` grows with each report of a device. `state`: hidden, left, or still open after the questions (spec 7). */
type ExitReport = {
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
  ctx: HolderCtx,
  { state, exitPoint, seq, life }: ExitReport,
): Promise<undefined> {
  const { id } = ctx.holder.row;
  await ctx.inTransaction(async (tx) => {
    const now = ctx.now();
    const row = await lockSession(tx, id);
    if (row === undefined) return;
    if (state === 'closed' && life !== undefined)
      await updateSession(tx, id, { left_lives: addUnloaded(row, life) });
    if (seq <= row.exit_seq || visitState(row, now) !== 'open' || isOtherPage(row, life)) return;
    const hidden = state === 'background' ? { background_at: now.toISOString() } : {};
    await updateSession(tx, id, { exit_seq: seq, exit_point: exitPoint, ...hidden });
    if (state === 'closed') await closeSession(tx, id, now);
  });
  publishChange(ctx, 'sessions', ...(state === 'closed' ? (['logs'] as const) : []));
}
