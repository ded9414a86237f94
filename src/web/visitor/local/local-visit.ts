import type { ErrorCode } from '../../../contract/errors.ts';
import type { Visit } from '../../../contract/visit.ts';
import type { Answers } from '../../../domain/closing.ts';
import type { Snapshot, Viaggio } from '../../../domain/content.ts';
import { itinerary } from '../../../domain/itinerary.ts';
import { type Position, START } from '../../../domain/position.ts';
import { advanceVisit, answersVerdict, canComplete, visibleVisit } from '../../../domain/visit-rules.ts';
import type { TripAnswers } from '../../../experience/ports.ts';

type LocalResult<T> = { ok: true; value: T } | { ok: false; code: ErrorCode };

/** A visit that lives in this page alone and is gone with it. */
export type LocalVisit = {
  resume(): LocalResult<Visit>;
  position(reported: Position): LocalResult<Visit>;
  answers(given: TripAnswers): LocalResult<Visit>;
  complete(): LocalResult<Record<string, never>>;
};

/** Neither a session nor a code: there are none. */
const NOBODY = { session_id: 'prova', token_id: 'prova', token_value: 'prova' };

/**
 * What the server would answer to a visit of this content, worked out by the very rules it follows (domain/). Nothing is sent, nothing stored.
 * @param from where the visit begins: the rehearsal may be repeated from the questions
 */
export function createLocalVisit(snapshot: Snapshot, from: Position = START): LocalVisit {
  const steps = itinerary(snapshot);
  const answers = new Map<Viaggio, Answers>();
  let position = from;
  let completed = false;

  const soFar = () => ({ snapshot, steps, position, answers });
  const open = (): LocalResult<Visit> => ({ ok: true, value: { ...NOBODY, ...visibleVisit(soFar()) } });

  return {
    resume: () => (completed ? refused('VISIT_ENDED') : open()),
    position(reported) {
      if (completed) return refused('VISIT_ENDED');
      const moved = advanceVisit(soFar(), reported);
      if (moved.kind === 'refused') return refused('STEP_REFUSED');
      if (moved.kind === 'moved') position = moved.position;
      return open();
    },
    answers({ viaggio, risposta_1, risposta_2 }) {
      if (completed) return refused('VISIT_ENDED');
      const verdict = answersVerdict(soFar(), { viaggio, risposta_1, risposta_2 });
      if (verdict === 'new') answers.set(viaggio, { risposta_1, risposta_2 });
      return verdict === 'new' || verdict === 'repeated' ? open() : refused(verdict);
    },
    complete() {
      // Asked again, it is still complete.
      if (!completed && !canComplete(soFar())) return refused('STEP_REFUSED');
      completed = true;
      return { ok: true, value: {} };
    },
  };
}

function refused(code: ErrorCode): { ok: false; code: ErrorCode } {
  return { ok: false, code };
}
