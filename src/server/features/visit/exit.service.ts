import type { ExitPoint } from '../../../domain/exit-points.ts';
import { visitState } from '../../../domain/visit-state.ts';
import type { Deps } from '../../deps.ts';
import { announce } from '../../live/announce.ts';
import { isSomebodyElse, type PageLife, withFarewell } from './page-life.ts';
import { lockSession, updateSession } from './sessions.repo.ts';
import { closeSession } from './sessions.service.ts';
import type { VisitHolder } from './visitor-session.ts';

/** `seq` grows with each report of a device. `state`: hidden, left, or there still, after the questions (spec 7). */
export type ExitReport = {
  state: 'background' | 'closed' | 'open';
  exitPoint: ExitPoint;
  seq: number;
  life?: PageLife;
};

/**
 * `track-user-exit` (spec 4 «Exit tracking», decision 6). Hidden only marks the background; left closes with `user_logout` and the
 * exit point; after the questions there is only the exit point to keep. A report that was heard already, or comes after a later one, changes nothing; nor does one of a page that isn't the one heard
 * last: a farewell that comes after the page was loaded again isn't hers.
 */
export async function trackUserExit(
  deps: Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>,
  { row: { id } }: VisitHolder,
  { state, exitPoint, seq, life }: ExitReport,
): Promise<void> {
  await deps.inTransaction(async (tx) => {
    const now = deps.now();
    const row = await lockSession(tx, id);
    if (row === undefined) return;
    if (state === 'closed' && life !== undefined)
      await updateSession(tx, id, { left_lives: withFarewell(row, life) });
    if (seq <= row.exit_seq || visitState(row, now) !== 'open' || isSomebodyElse(row, life)) return;
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
