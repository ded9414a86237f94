import type { Answers } from './closing.ts';
import type { Snapshot, Viaggio } from './content.ts';
import type { Dress } from './dresses.ts';
import type { Step } from './itinerary.ts';
import { type Advance, advance, type Position, visibleStepCount } from './position.ts';
import { recipientName } from './recipient-name.ts';
import { type StageContent, type StoredAnswers, visibleContent, visibleSong } from './stage-content.ts';

/** A visit as its rules look at it: what it began with, its stops, how far it has come, and the answers it has given. */
export type VisitProgress = {
  readonly snapshot: Snapshot;
  readonly steps: readonly Step[];
  readonly position: Position;
  readonly answers: StoredAnswers;
};

/** What the browser may know of its visit: the stages reached and the next one, nothing further. */
export type VisibleVisit = {
  position: Position;
  stages: StageContent[];
  /** No further stage exists. */
  complete: boolean;
  answers: (Answers & { viaggio: Viaggio })[];
  canzone_url: string | null;
  /** Whose evening it is; null where no name was given. */
  recipient_name: string | null;
  dress: Dress;
  sound_effects: boolean;
};

export function visibleVisit({ snapshot, steps, position, answers }: VisitProgress): VisibleVisit {
  return {
    position,
    stages: visibleContent(snapshot, position, answers),
    complete: visibleStepCount(steps, position) === steps.length,
    answers: [...answers].map(([viaggio, given]) => ({ viaggio, ...given })),
    canzone_url: visibleSong(snapshot, position),
    recipient_name: recipientName(snapshot.config),
    dress: snapshot.config.dress,
    sound_effects: snapshot.config.sound_effects,
  };
}

/** What becomes of the visit's place when the browser reports that `reported` begins. */
export function advanceVisit({ steps, position, answers }: VisitProgress, reported: Position): Advance {
  return advance(steps, position, reported, new Set(answers.keys()));
}

/** `new`: they are to be stored. `repeated`: they are stored already, word for word (a reply got lost). */
export type AnswersVerdict = 'new' | 'repeated' | 'ANSWERS_REFUSED' | 'ANSWERS_CONFLICT';

/** May both answers of a trip be given now? Only once its questions are reached, and the first ones stay. */
export function answersVerdict(
  { steps, position, answers }: VisitProgress,
  { viaggio, risposta_1, risposta_2 }: Answers & { viaggio: Viaggio },
): AnswersVerdict {
  const asked = steps.findIndex((step) => step.stage === 'questions' && step.viaggio === viaggio);
  if (asked === -1 || asked > position.step) return 'ANSWERS_REFUSED';
  const stored = answers.get(viaggio);
  if (stored === undefined) return 'new';
  const same = stored.risposta_1 === risposta_1 && stored.risposta_2 === risposta_2;
  return same ? 'repeated' : 'ANSWERS_CONFLICT';
}

/** May the visit complete? Only from the last stage, with every question answered. */
export function canComplete({ steps, position, answers }: VisitProgress): boolean {
  const isOpen = ({ stage, viaggio }: Step) => stage === 'questions' && !answers.has(viaggio);
  return position.step === steps.length - 1 && !steps.some(isOpen);
}
