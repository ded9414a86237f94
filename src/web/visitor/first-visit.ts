import type { Visit } from '../../contract/visit.ts';

let first: Visit | null = null;

/** Stores the visit from the entry's reply, so that the evening starts without another request. */
export function storeInitialVisit(visit: Visit): void {
  first = visit;
}

/** Returns the stored visit, once; a later return reads it from the server. */
export function takeInitialVisit(): Visit | null {
  const visit = first;
  first = null;
  return visit;
}
