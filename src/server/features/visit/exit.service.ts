import type { ExitPoint } from '../../../domain/exit-points.ts';
import type { Deps } from '../../deps.ts';
import { announce } from '../live/announce.ts';
import { lockSession, updateSession } from '../sessions/sessions.repo.ts';
import { closeSession } from '../sessions/sessions.service.ts';
import { visitState } from '../sessions/visit-state.ts';
import type { VisitHolder } from './visitor-session.ts';

/** `seq` grows with each report of a device. `state`: hidden, or left. */
export type ExitReport = { state: 'background' | 'closed'; exitPoint: ExitPoint; seq: number };

/**
 * `track-user-exit` (spec 4 «Exit tracking», decision 6). Hidden only marks the background; left closes with `user_logout` and the
 * exit point. A report that was heard already, or comes after a later one, changes nothing.
 */
export async function trackUserExit(
  deps: Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>,
  { row: { id } }: VisitHolder,
  { state, exitPoint, seq }: ExitReport,
): Promise<void> {
  await deps.inTransaction(async (tx) => {
    const now = deps.now();
    const row = await lockSession(tx, id);
    if (row === undefined || seq <= row.exit_seq || visitState(row, now) !== 'open') return;
    const heard = { exit_seq: seq, exit_point: exitPoint };
    await updateSession(
      tx,
      id,
      state === 'background' ? { ...heard, background_at: now.toISOString() } : heard,
    );
    if (state === 'closed') await closeSession(tx, id, 'user_logout', now);
  });
  announce(deps, 'sessions', ...(state === 'closed' ? (['logs'] as const) : []));
}
