import type { Answers } from './closing.ts';
import type { Snapshot, Viaggio } from './content.ts';
import type { Dress } from './dresses.ts';
import type { Step } from './itinerary.ts';
import { type Advance, advance, type Position, visibleStepCount } from './position.ts';
import { recipientName } from './recipient-name.ts';
import { type StageContent, type StoredAnswers, visibleContent, visibleSong } from './stage-content.ts';

/** State of a visit for its rules: snapshot, steps, position, and stored answers. */
export type VisitProgress = {
  readonly snapshot: Snapshot;
  readonly steps: readonly Step[];
  readonly position: Position;
  readonly answers: StoredAnswers;
};

/** Part of a visit that the browser may have: the stages reached and the next one. */
export type VisibleVisit = {
  position: Position;
  stages: StageContent[];
  /** True if no further stage exists. */
  complete: boolean;
  answers: (Answers & { viaggio: Viaggio })[];
  canzone_url: string | null;
  /** Recipient's name; null if none is set. */
  recipient_name: string | null;
  dress: Dress;
  sound_effects: boolean;
};

export function visibleVisit({ snapshot, steps, position, answers }: VisitProgress): VisibleVisit {
  return {
    position,
    stages: visibleContent(snapshot, position, answers),
    complete: visibleStepCount(steps, position) === steps.length,
    answers: [...answers].map(([viaggio, tripAnswers]) => ({ viaggio, ...tripAnswers })),
    canzone_url: visibleSong(snapshot, position),
    recipient_name: recipientName(snapshot.config),
    dress: snapshot.config.dress,
    sound_effects: snapshot.config.sound_effects,
  };
}

/** Returns the effect of the browser's report that `reported` begins. */
export function advanceVisit({ steps, position, answers }: VisitProgress, reported: Position): Advance {
  return advance(steps, position, reported, new Set(answers.keys()));
}

/** `new`: to be stored. `repeated`: already stored with the same values (a reply got lost). */
export type AnswersVerdict = 'new' | 'repeated' | 'ANSWERS_REFUSED' | 'ANSWERS_CONFLICT';

/** Returns whether both answers of a trip can be stored now: only after its questions are reached, and the first ones are final. */
export function answersVerdict(
  { steps, position, answers }: VisitProgress,
  { viaggio, risposta_1, risposta_2 }: Answers & { viaggio: Viaggio },
): AnswersVerdict {
  const questionStep = steps.findIndex((step) => step.stage === 'questions' && step.viaggio === viaggio);
  if (questionStep === -1 || questionStep > position.step) return 'ANSWERS_REFUSED';
  const stored = answers.get(viaggio);
  if (stored === undefined) return 'new';
  const same = stored.risposta_1 === risposta_1 && stored.risposta_2 === risposta_2;
  return same ? 'repeated' : 'ANSWERS_CONFLICT';
}

/** Returns true if the visit can complete: only from the last stage, with every question answered. */
export function canComplete({ steps, position, answers }: VisitProgress): boolean {
  const isOpen = ({ stage, viaggio }: Step) => stage === 'questions' && !answers.has(viaggio);
  return position.step === steps.length - 1 && !steps.some(isOpen);
}
