import { accessVerdict, type TokenState } from './access.ts';
import type { Answers } from './closing.ts';
import type { Viaggio } from './content.ts';
import type { Step } from './itinerary.ts';
import { isTooEarly } from './opening-time.ts';

/** States of a visit: under way, paused (can be resumed), ended, disconnected by the administrator. */
export const VISIT_STATES = ['open', 'paused', 'ended', 'disconnected'] as const;

export type VisitSummary = {
  id: string;
  state: (typeof VISIT_STATES)[number];
  started_at: string;
  completed_at: string | null;
  /** Itinerary of the visit; empty if it can't be read any more. */
  stages: readonly Step[];
};
export type AnswerSummary = Answers & { session_id: string; viaggio: Viaggio };
/** `created_at`: ISO 8601 in UTC, like `started_at` of a visit. */
export type CodeSummary = TokenState & { created_at: string };

/** Phase of the surprise: not started (`waiting`), under way, or seen to its end. */
export type EveningPhase<V> =
  | { phase: 'waiting' }
  | { phase: 'under_way'; visits: readonly V[] }
  | { phase: 'over'; visit: V };

type PhaseInput<V> = {
  visits: readonly V[];
  answers: readonly AnswerSummary[];
  codes: readonly CodeSummary[];
  /** ISO 8601 in UTC, or null. */
  opens_at: string | null;
};

/**
 * Returns the phase and its visits. Before the opening time it is `waiting`: earlier visits were tests. Then open visits come first, then
 * the latest one, unless a usable code was created after it, which prepares a new start.
 * An abandoned visit that can't be resumed doesn't count, because it needs a new code.
 */
export function phaseOf<V extends VisitSummary>(
  { visits, answers, codes, opens_at }: PhaseInput<V>,
  now: Date,
): EveningPhase<V> {
  if (isTooEarly(opens_at, now)) return { phase: 'waiting' };
  const open = visits.filter(({ state }) => state === 'open');
  if (open.length > 0) return { phase: 'under_way', visits: open };
  const latest = latestOf(visits.filter((visit) => visit.state === 'paused' || isFinished(visit, answers)));
  if (latest === undefined || codes.some((code) => startsAgain(code, latest, now)))
    return { phase: 'waiting' };
  return isFinished(latest, answers)
    ? { phase: 'over', visit: latest }
    : { phase: 'under_way', visits: [latest] };
}

/** Returns true if the visit is completed, or its last question is answered. */
function isFinished({ id, completed_at, stages }: VisitSummary, answers: readonly AnswerSummary[]): boolean {
  if (completed_at !== null) return true;
  const questionSteps = stages.filter(({ stage }) => stage === 'questions');
  const values = answers.filter(({ session_id }) => session_id === id);
  return (
    questionSteps.length > 0 &&
    questionSteps.every(({ viaggio }) => values.some((answer) => answer.viaggio === viaggio))
  );
}

function latestOf<V extends VisitSummary>(visits: readonly V[]): V | undefined {
  return visits.toSorted((a, b) => Date.parse(b.started_at) - Date.parse(a.started_at))[0];
}

function startsAgain(code: CodeSummary, { started_at }: VisitSummary, now: Date): boolean {
  return Date.parse(code.created_at) > Date.parse(started_at) && accessVerdict(code, now) === 'ok';
}

/** Summarizes all answers of a visit: all yes, all no, or mixed; null without answers. */
export function summarizeAnswers(answers: readonly Answers[]): 'yes' | 'no' | 'mixed' | null {
  const values = answers.flatMap(({ risposta_1, risposta_2 }) => [risposta_1, risposta_2]);
  if (values.length === 0) return null;
  if (values.every(Boolean)) return 'yes';
  return values.some(Boolean) ? 'mixed' : 'no';
}
