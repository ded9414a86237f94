import type { Deps } from '../../deps.ts';
import { isRefused, type Refused } from '../../refused.ts';
import { findHolder, livingVisit, type VisitHolder, type VisitorSession } from './visitor-session.ts';

/** What the visitor's guards need of a request. */
type Asking = { deps: Pick<Deps, 'db' | 'now'>; cookies: { visit: string | null } };

/** Whose visit the cookie leads to, whatever has become of it; null when it leads nowhere. */
export async function visitHolder({ deps, cookies }: Asking): Promise<VisitHolder | null> {
  return cookies.visit === null ? null : findHolder(deps, cookies.visit);
}

/** The same for calls that make no sense without one. */
export async function requireHolder(asking: Asking): Promise<{ holder: VisitHolder } | Refused<'NO_VISIT'>> {
  const holder = await visitHolder(asking);
  return holder ? { holder } : { refused: 'NO_VISIT' };
}

/** The guard of everything a visitor sees: a living visit whose code still stands, or why there is none. Changes nothing. */
export async function requireVisit(
  asking: Asking,
): Promise<{ visitor: VisitorSession } | Refused<'NO_VISIT' | 'VISIT_ENDED' | 'DISCONNECTED'>> {
  const found = await requireHolder(asking);
  return isRefused(found) ? found : livingVisit(asking.deps.db, found.holder);
}
