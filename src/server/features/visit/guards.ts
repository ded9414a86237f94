import type { Deps } from '../../deps.ts';
import { isRefused, type Refusal } from '../../refused.ts';
import { findHolder, requireLiveVisit, type VisitHolder, type VisitorSession } from './visitor-session.ts';

/** What the visitor's guards need of a request. */
type VisitRequest = { deps: Pick<Deps, 'db' | 'now'>; cookies: { visit: string | null } };

/** Whose visit the cookie leads to, whatever has become of it; null when it leads nowhere. */
export async function findVisitHolder({ deps, cookies }: VisitRequest): Promise<VisitHolder | null> {
  return cookies.visit === null ? null : findHolder(deps, cookies.visit);
}

/** The same for calls that make no sense without one. */
export async function requireHolder(
  asking: VisitRequest,
): Promise<{ holder: VisitHolder } | Refusal<'NO_VISIT'>> {
  const holder = await findVisitHolder(asking);
  return holder ? { holder } : { refused: 'NO_VISIT' };
}

/** The guard of everything a visitor sees: a living visit whose code still stands, or why there is none. Changes nothing. */
export async function requireVisit(
  asking: VisitRequest,
): Promise<{ visitor: VisitorSession } | Refusal<'NO_VISIT' | 'VISIT_ENDED' | 'DISCONNECTED'>> {
  const found = await requireHolder(asking);
  return isRefused(found) ? found : requireLiveVisit(asking.deps.db, found.holder);
}
