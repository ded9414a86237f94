import { accessVerdict, type TokenState } from './access.ts';
import type { Answers } from './closing.ts';
import type { Viaggio } from './content.ts';
import type { Step } from './itinerary.ts';
import { isTooEarly } from './opening-time.ts';

/** What the server says of a visit: under way, paused (can be taken up again), ended for good, closed by the administrator. */
export const VISIT_STATES = ['open', 'paused', 'ended', 'disconnected'] as const;

export type VisitSummary = {
  id: string;
  state: (typeof VISIT_STATES)[number];
  started_at: string;
  completed_at: string | null;
  /** Its itinerary; empty where it can't be read any more. */
  stages: readonly Step[];
};
export type AnswerSummary = Answers & { session_id: string; viaggio: Viaggio };
/** `created_at`: ISO 8601 in UTC, as `started_at` of a visit. */
export type CodeSummary = TokenState & { created_at: string };

/** Where the surprise stands: nobody has begun (`waiting`), somebody is in it, or it has been seen to its end. */
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
 * Returns which visit is the evening. Before the opening it is none: earlier visits were tests. Then an open visit comes first. Otherwise it is the latest one, unless a code that still opens was made after
 * it: then another beginning is being prepared. One that was left half way and can't be taken up again begins nothing: a code is needed.
 */
export function phaseOf<V extends VisitSummary>(
  { visits, answers, codes, opens_at }: PhaseInput<V>,
  now: Date,
): EveningPhase<V> {
  if (isTooEarly(opens_at, now)) return { phase: 'waiting' };
  const open = visits.filter(({ state }) => state === 'open');
  if (open.length > 0) return { phase: 'under_way', visits: open };
  const latest = latestOf(visits.filter((visit) => visit.state === 'paused' || isSeen(visit, answers)));
  if (latest === undefined || codes.some((code) => beginsAnew(code, latest, now)))
    return { phase: 'waiting' };
  return isSeen(latest, answers)
    ? { phase: 'over', visit: latest }
    : { phase: 'under_way', visits: [latest] };
}

/** Has it come to its end, or at least past its last question? */
function isSeen({ id, completed_at, stages }: VisitSummary, answers: readonly AnswerSummary[]): boolean {
  if (completed_at !== null) return true;
  const asked = stages.filter(({ stage }) => stage === 'questions');
  const given = answers.filter(({ session_id }) => session_id === id);
  return asked.length > 0 && asked.every(({ viaggio }) => given.some((answer) => answer.viaggio === viaggio));
}

function latestOf<V extends VisitSummary>(visits: readonly V[]): V | undefined {
  return visits.toSorted((a, b) => Date.parse(b.started_at) - Date.parse(a.started_at))[0];
}

function beginsAnew(code: CodeSummary, { started_at }: VisitSummary, now: Date): boolean {
  return Date.parse(code.created_at) > Date.parse(started_at) && accessVerdict(code, now) === 'ok';
}

/** What all the answers of a visit say together: yes to everything, no to everything, or something of both; null without any. */
export function summarizeAnswers(answers: readonly Answers[]): 'yes' | 'no' | 'mixed' | null {
  const given = answers.flatMap(({ risposta_1, risposta_2 }) => [risposta_1, risposta_2]);
  if (given.length === 0) return null;
  if (given.every(Boolean)) return 'yes';
  return given.some(Boolean) ? 'mixed' : 'no';
}
