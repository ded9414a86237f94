import type { Deps } from '../../deps.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { findHolder, requireLiveVisit, type VisitHolder, type VisitorSession } from './visitor-session.ts';

type VisitRequest = { deps: Pick<Deps, 'db' | 'now'>; cookies: { visit: string | null } };

/** Returns the visit of the cookie in any state, or null. */
export async function findVisitHolder({ deps, cookies }: VisitRequest): Promise<VisitHolder | null> {
  return cookies.visit === null ? null : findHolder(deps, cookies.visit);
}

/** Like `findVisitHolder`, but refuses a request without a visit. */
export async function requireHolder(
  request: VisitRequest,
): Promise<{ holder: VisitHolder } | Refusal<'NO_VISIT'>> {
  const holder = await findVisitHolder(request);
  return holder ? { holder } : refuse('NO_VISIT');
}

/** Guards everything a visitor sees: requires a resumable visit whose code is still active. Changes nothing. */
export async function requireVisit(
  request: VisitRequest,
): Promise<{ visitor: VisitorSession } | Refusal<'NO_VISIT' | 'VISIT_ENDED' | 'DISCONNECTED'>> {
  const found = await requireHolder(request);
  return isRefused(found) ? found : requireLiveVisit(request.deps.db, found.holder);
}
