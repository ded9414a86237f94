import type { AnswerRecord } from '../contract/admin/config.ts';
import type { SessionRecord } from '../contract/admin/logs.ts';
import type { SiteSettings, Snapshot, TokenRecord } from '../contract/model.ts';
import type { KeepsakeView } from '../contract/visit.ts';
import { accessVerdict, endOfItalianDay, isTooEarly, startOfItalianDay, type TokenState } from './access.ts';
import { hasSecondTrip, TRIPS, tripOf, type Viaggio } from './content.ts';
import { italianDayOf, type TripDays, tripDays } from './days.ts';
import { itinerary, type Step } from './itinerary.ts';
import { DAY_MS, DEFAULT_TEXTS, HOUR_MS, MINUTE_MS, VISIT_LIFETIME_MS } from './limits.ts';
import { recipientName } from './recipient-name.ts';
import { type Answers, type StoredAnswers, stageContent } from './stage-content.ts';

/** States of a visit: under way, paused (can be resumed), ended, disconnected by the administrator. */
export const VISIT_STATES = ['open', 'paused', 'ended', 'disconnected'] as const;

export type VisitSummary = Pick<SessionRecord, 'id' | 'state' | 'started_at' | 'completed_at'> & {
  /** Itinerary of the visit; empty if it can't be read any more. */
  stages: readonly Step[];
};
export type AnswerSummary = Pick<AnswerRecord, 'session_id' | 'viaggio' | 'risposta_1' | 'risposta_2'>;
export type CodeSummary = TokenState & Pick<TokenRecord, 'created_at'>;

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

/**
 * open: under way. paused: closed after silence or leaving, can be resumed. ended: completed, or older than 24 hours.
 * disconnected: the administrator revoked or deleted the code.
 */
export type VisitState = (typeof VISIT_STATES)[number];

export const FORCED_REASONS = ['token_revoked', 'token_deleted'] as const;
export type ForcedReason = (typeof FORCED_REASONS)[number];

type Judged = {
  is_active: boolean;
  started_at: string;
  completed_at: string | null;
  disconnection_reason: string | null;
};

export function visitState(session: Judged, now: Date): VisitState {
  if (session.completed_at !== null) return 'ended';
  if (isForced(session.disconnection_reason)) return 'disconnected';
  if (now.getTime() - Date.parse(session.started_at) >= VISIT_LIFETIME_MS) return 'ended';
  return session.is_active ? 'open' : 'paused';
}

/** Returns true if the administrator closed the session. */
export function isForced(reason: string | null): reason is ForcedReason {
  return FORCED_REASONS.some((forced) => forced === reason);
}

type Dates = Pick<SiteSettings, 'opens_at' | 'data_laurea'>;

/** Start and latest end of the evening, as timestamps in ms. */
export type EveningTime = { begins: number; ends: number };

/** Returns the evening's time: from the opening time, else the graduation day on Italian clocks; null if neither is set. */
export function eveningTime({ opens_at, data_laurea }: Dates): EveningTime | null {
  const endOfDay = data_laurea === null ? 0 : endOfItalianDay(data_laurea);
  if (opens_at !== null) {
    const begins = Date.parse(opens_at);
    return { begins, ends: Math.max(begins + VISIT_LIFETIME_MS, endOfDay) };
  }
  return data_laurea === null ? null : { begins: startOfItalianDay(data_laurea), ends: endOfDay };
}

/** Times of the complete check, in ms: each night after midnight in Italy, and several times before the evening begins. */
export const CHECK_TIMES = { night: 3.5 * HOUR_MS, before: [DAY_MS, 2 * HOUR_MS, 15 * MINUTE_MS] } as const;

/** Returns the latest time up to now at which a complete check was due; `isNight` if it was only the nightly one. */
export function lastCheckDue(evening: EveningTime | null, now: Date): { at: number; isNight: boolean } {
  const today = startOfItalianDay(italianDayOf(now)) + CHECK_TIMES.night;
  const night = today <= now.getTime() ? today : today - DAY_MS;
  const before = evening === null ? [] : CHECK_TIMES.before.map((ms) => evening.begins - ms);
  const last = Math.max(0, ...before.filter((at) => at <= now.getTime()));
  return last > night ? { at: last, isNight: false } : { at: night, isNight: true };
}

/**
 * Returns true if the keepsake is open. It stays open through the whole of its last day in Italy.
 * @param until a calendar day, `YYYY-MM-DD`; null if there is no keepsake
 */
export function isKeepsakeOpen(until: string | null, now: Date): until is string {
  return until !== null && italianDayOf(now) <= until;
}

/** Content of a keepsake. */
export type KeepsakeContent = Pick<KeepsakeView, 'recipient_name' | 'stages' | 'calendars'>;

/** Returns the content of a whole evening, for a completed visit. @param began start of the visit */
export function keepsakeContent(snapshot: Snapshot, answers: StoredAnswers, began: Date): KeepsakeContent {
  return {
    recipient_name: recipientName(snapshot.config),
    stages: itinerary(snapshot).map((step) => stageContent(snapshot, step, answers)),
    calendars: TRIPS.filter((viaggio) => tripDaysOf(snapshot, viaggio, began) !== null),
  };
}

/** Returns the days of one of its trips; null if there is no such trip or its dates can't be parsed. */
export function tripDaysOf(snapshot: Snapshot, viaggio: Viaggio, began: Date): TripDays | null {
  if (viaggio === 2 && !hasSecondTrip(snapshot)) return null;
  const { data_partenza, data_ritorno } = tripOf(snapshot, viaggio);
  const homecoming = data_ritorno === DEFAULT_TEXTS.data ? null : data_ritorno;
  return tripDays(data_partenza, homecoming, italianDayOf(began));
}
