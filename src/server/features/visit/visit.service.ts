import type { Visit } from '../../../contract/visit.ts';
import { exitPoint } from '../../../domain/itinerary.ts';
import { advanceVisit, canComplete, type Position } from '../../../domain/stage-content.ts';
import type { Deps } from '../../deps.ts';
import { type Refusal, refuse } from '../../refused.ts';
import { type OpenVisit, type VisitUnavailable, withVisit } from './in-visit.ts';
import { createKeepsake } from './keepsake.ts';
import type { PageLoadId } from './page-life.ts';
import { updateSession } from './sessions.repo.ts';
import { closeSession } from './sessions.service.ts';
import { visitView } from './visit-view.ts';
import type { VisitorSession } from './visitor-session.ts';

type VisitDeps = Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>;

/** Opens or reloads the page: the same session, and no use is counted. */
export function resume(
  deps: VisitDeps,
  session: VisitorSession,
  pageLoadId?: PageLoadId,
): Promise<Visit | VisitUnavailable> {
  return withVisit(deps, session, pageLoadId, async ({ visitor }) => visitView(visitor));
}

/** Stores that a stage, phrase or second begins. Refuses to jump ahead (decision 001). Returns the visit with its next content. */
export function reportPosition(
  deps: VisitDeps,
  session: VisitorSession,
  reported: Position,
  pageLoadId?: PageLoadId,
): Promise<Visit | VisitUnavailable | Refusal<'STEP_REFUSED'>> {
  return withVisit(deps, session, pageLoadId, async ({ tx, visitor, pageLeft }) => {
    if (pageLeft) return visitView(visitor);
    const moved = advanceVisit(visitor, reported);
    if (moved.kind === 'refused') return refuse('STEP_REFUSED');
    if (moved.kind === 'kept') return visitView(visitor);
    const { position } = moved;
    const begins = position.step > visitor.position.step ? visitor.steps[position.step] : undefined;
    await updateSession(tx, visitor.id, { ...position, ...(begins && { exit_point: exitPoint(begins) }) });
    return visitView({ ...visitor, position });
  });
}

/**
 * Completes the visit for good, from the last stage with every question answered. A page load that has ended can't complete it:
 * another one may be showing the end. Creates a keepsake if the administrator offers one.
 */
export function complete(
  deps: VisitDeps & Pick<Deps, 'secret'>,
  session: VisitorSession,
  pageLoadId?: PageLoadId,
): Promise<{ completed: boolean } | VisitUnavailable | Refusal<'STEP_REFUSED'>> {
  const work = async ({ tx, visitor, now, pageLeft }: OpenVisit) => {
    if (pageLeft) return { completed: false };
    if (!canComplete(visitor)) return refuse('STEP_REFUSED');
    await updateSession(tx, visitor.id, { completed_at: now.toISOString() });
    await closeSession(tx, visitor.id, 'user_logout', now, { completed: true });
    await createKeepsake({ tx, key: deps.secret, now }, visitor.id);
    return { completed: true };
  };
  return withVisit(deps, session, pageLoadId, work, ['logs']);
}
