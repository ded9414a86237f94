import type { Visit } from '../../../contract/visit.ts';
import { visibleVisit } from '../../../domain/stage-content.ts';
import type { VisitorSession } from './visitor-session.ts';

/** Returns what the browser may know of its visit: the stages reached and the next one (decision 001). */
export function visitView(visitor: VisitorSession): Visit {
  const { id, token_id, token_value } = visitor;
  return { session_id: id, token_id, token_value, ...visibleVisit(visitor) };
}
