import type { ErrorCode } from '../../../contract/errors.ts';
import type { Visit } from '../../../contract/visit.ts';
import type { Snapshot, Viaggio } from '../../../domain/content.ts';
import { itinerary } from '../../../domain/itinerary.ts';
import {
  type Answers,
  advanceVisit,
  answersVerdict,
  canComplete,
  type Position,
  START,
  visibleVisit,
} from '../../../domain/stage-content.ts';
import type { TripAnswers } from '../../../experience/ports.ts';

type LocalResult<T> = { ok: true; value: T } | { ok: false; code: ErrorCode };

/** A visit that exists only in this page. */
export type LocalVisit = {
  resume(): LocalResult<Visit>;
  position(reported: Position): LocalResult<Visit>;
  answers(tripAnswers: TripAnswers): LocalResult<Visit>;
  complete(): LocalResult<Record<string, never>>;
};

/** Placeholder ids: a local visit has no session and no code. */
const PLACEHOLDER_IDS = { session_id: 'prova', token_id: 'prova', token_value: 'prova' };

/**
 * Creates a visit that answers as the server would, by the same rules (src/domain). Sends and stores nothing.
 * @param from start position; a rehearsal can be repeated from the questions
 */
export function createLocalVisit(snapshot: Snapshot, from: Position = START): LocalVisit {
  const steps = itinerary(snapshot);
  const answers = new Map<Viaggio, Answers>();
  let position = from;
  let completed = false;

  const currentState = () => ({ snapshot, steps, position, answers });
  const open = (): LocalResult<Visit> => ({
    ok: true,
    value: { ...PLACEHOLDER_IDS, ...visibleVisit(currentState()) },
  });

  return {
    resume: () => (completed ? refused('VISIT_ENDED') : open()),
    position(reported) {
      if (completed) return refused('VISIT_ENDED');
      const moved = advanceVisit(currentState(), reported);
      if (moved.kind === 'refused') return refused('STEP_REFUSED');
      if (moved.kind === 'moved') position = moved.position;
      return open();
    },
    answers({ viaggio, risposta_1, risposta_2 }) {
      if (completed) return refused('VISIT_ENDED');
      const verdict = answersVerdict(currentState(), { viaggio, risposta_1, risposta_2 });
      if (verdict === 'new') answers.set(viaggio, { risposta_1, risposta_2 });
      return verdict === 'new' || verdict === 'repeated' ? open() : refused(verdict);
    },
    complete() {
      // A repeated call is still complete.
      if (!completed && !canComplete(currentState())) return refused('STEP_REFUSED');
      completed = true;
      return { ok: true, value: {} };
    },
  };
}

function refused(code: ErrorCode): { ok: false; code: ErrorCode } {
  return { ok: false, code };
}
