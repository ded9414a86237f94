import type { Visit } from '../../contract/visit.ts';

let first: Visit | null = null;

/** Keeps what the answer to a right code said of the visit, for the evening to begin with: it would ask for the same. */
export function storeInitialVisit(visit: Visit): void {
  first = visit;
}

/** What was kept, once: whoever comes back later asks. */
export function takeInitialVisit(): Visit | null {
  const visit = first;
  first = null;
  return visit;
}
