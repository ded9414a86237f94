import type { Visit } from '../../../contract/visit.ts';
import { handedOut } from '../../../domain/position.ts';
import { visibleContent, visibleSong } from '../../../domain/stage-content.ts';
import type { VisitorSession } from './visitor-session.ts';

/** What the browser may know of its visit: the stages reached and the next one, nothing further (decision 4). */
export function visitView(visitor: VisitorSession): Visit {
  const { id, token_id, token_value, snapshot, steps, position, answers } = visitor;
  return {
    session_id: id,
    token_id,
    token_value,
    position,
    stages: visibleContent(snapshot, position, answers),
    complete: handedOut(steps, position) === steps.length,
    answers: [...answers].map(([viaggio, given]) => ({ viaggio, ...given })),
    canzone_url: visibleSong(snapshot, position),
  };
}
