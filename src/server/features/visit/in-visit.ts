import type { LiveTopic } from '../../../contract/admin/dashboard.ts';
import { visitState } from '../../../domain/evening.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { publishChange } from '../../live/bus.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { hasUnloaded, type PageLoadId, pageLoadChange } from './page-life.ts';
import { lockSession, type SessionRow, updateSession } from './sessions.repo.ts';
import { reopenSession } from './sessions.service.ts';
import { loadVisitor, type VisitorSession } from './visitor-session.ts';

export type VisitUnavailable = Refusal<'NO_VISIT' | 'VISIT_ENDED' | 'DISCONNECTED'>;

/** A visit in a transaction, with its row locked and open. If the requesting page was closed (`pageLeft`), the visit is unchanged. */
export type OpenVisit = { tx: Db; visitor: VisitorSession; row: SessionRow; now: Date; pageLeft: boolean };

/**
 * Runs `work` in a visit. Locks and rechecks the row, because the code may have been revoked since the guard.
 * Reopens a paused visit, unless the requesting page load has ended.
 * @param changes topics that `work` changes in addition to the session
 */
export async function withVisit<T extends object>(
  deps: Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>,
  { id }: Pick<VisitorSession, 'id'>,
  pageLoadId: PageLoadId,
  work: (present: OpenVisit) => Promise<T>,
  changes: readonly LiveTopic[] = [],
): Promise<T | VisitUnavailable> {
  const done = await deps.inTransaction(async (tx) => {
    const now = deps.now();
    const back = await lockAndReopen(tx, id, pageLoadId, now);
    if (isRefused(back)) return back;
    const { row, reopened, pageLeft } = back;
    return { reopened, result: await work({ tx, row, now, pageLeft, visitor: await loadVisitor(tx, row) }) };
  });
  if (isRefused(done)) return done;
  publishChange(deps, 'sessions', ...changes, ...(done.reopened ? (['logs'] as const) : []));
  return done.result;
}

type ReopenResult = { row: SessionRow; reopened: boolean; pageLeft: boolean };

async function lockAndReopen(
  tx: Db,
  id: string,
  pageLoadId: PageLoadId,
  now: Date,
): Promise<ReopenResult | VisitUnavailable> {
  const row = await lockSession(tx, id);
  if (row === undefined) return refuse('NO_VISIT');
  const state = visitState(row, now);
  if (state === 'disconnected') return refuse('DISCONNECTED');
  if (state === 'ended') return refuse('VISIT_ENDED');
  if (hasUnloaded(row, pageLoadId)) return { row, reopened: false, pageLeft: true };
  if (state === 'paused')
    return { row: await reopenSession(tx, row, now, pageLoadId), reopened: true, pageLeft: false };
  const activity = { last_activity: now.toISOString(), background_at: null, ...pageLoadChange(pageLoadId) };
  await updateSession(tx, id, activity);
  return { row, reopened: false, pageLeft: false };
}
