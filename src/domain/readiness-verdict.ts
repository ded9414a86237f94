import { hasSecondTrip } from './content.ts';
import { italianDayOf } from './days.ts';
import { eveningTime } from './evening-time.ts';
import { readiness } from './readiness.ts';
import type { Preparation } from './readiness-checks.ts';
import type { ReadinessId, ReadinessItem } from './readiness-ids.ts';
import { type ProbeResults, probeReasons } from './readiness-probes.ts';
import {
  PROBE_REASONS,
  probeReasonLevel,
  REASON_IDS,
  REASON_LEVELS,
  type ReasonId,
  type ReasonLevel,
  reasonPage,
  reasonPagePart,
} from './readiness-reasons.ts';
import { keysOf } from './records.ts';
import { tripDays } from './trip-dates.ts';

/** A reason why the evening isn't ready, or may not be: its page, and the section of that page, null for its default. */
export type Reason = { id: ReasonId; level: ReasonLevel; page: string; part: string | null };

/** Facts for the readiness verdict: the prepared content, and the probes' results. */
export type ReadinessFacts = {
  /** `over`: a visit has ended, and no code was created since. */
  preparation: Preparation & { config: { keepsake_until: string | null }; over: boolean };
  tried: ProbeResults;
};

/** Items that would disappoint but don't stop the evening: a choice, or a matter of sight and hearing. */
const NON_BLOCKING: ReadonlySet<ReadinessId> = new Set([
  'address',
  'proxy',
  'code_soon',
  'video_sound',
  'video_weight',
  'song_file',
  'song_volume',
  'her_name',
]);
/** Items whose default text must not be read on that evening. */
const READ_BY_VISITOR: ReadonlySet<ReadinessId> = new Set(['titles_1', 'titles_2']);

/** Returns the reasons against «Pronta?» (decision 068), most severe first. */
export function reasonsAgainst({ preparation, tried }: ReadinessFacts, now: Date): Reason[] {
  const levels = new Map<ReasonId, ReasonLevel>();
  for (const item of readiness(preparation, now)) {
    const level = levelOf(item);
    if (level !== null) levels.set(item.id, level);
  }
  const { config, begun } = preparation;
  const evening = eveningTime(config);
  const holding = { ...probeReasons(tried, { evening, begun, now }), ...dateReasons(preparation, now) };
  for (const id of keysOf(PROBE_REASONS)) if (holding[id] === true) levels.set(id, probeReasonLevel(id));
  return REASON_LEVELS.flatMap((level) =>
    REASON_IDS.filter((id) => levels.get(id) === level).map((id) => ({
      id,
      level,
      page: reasonPage(id),
      part: reasonPagePart(id),
    })),
  );
}

function levelOf({ id, state }: ReadinessItem): ReasonLevel | null {
  if (state === 'ready') return null;
  if (state === 'missing' || READ_BY_VISITOR.has(id)) return 'red';
  return state === 'advice' || NON_BLOCKING.has(id) ? 'amber' : 'red';
}

/** Returns the reasons from dates that contradict the evening's date. */
function dateReasons(
  preparation: ReadinessFacts['preparation'],
  now: Date,
): Partial<Record<ReasonId, boolean>> {
  const { config, begun } = preparation;
  const { opens_at, data_laurea, keepsake_until } = config;
  const evening = eveningTime(config);
  const day = italianDayOf(evening === null || begun ? now : new Date(evening.begins));
  return {
    trip_days_1: !begun && isImpossible(config.data_partenza, config.data_ritorno, day),
    trip_days_2:
      !begun &&
      hasSecondTrip(preparation) &&
      isImpossible(config.data_partenza_2, config.data_ritorno_2, day),
    keepsake_before: !begun && keepsake_until !== null && keepsake_until < (data_laurea ?? day),
    opening_unset: !begun && opens_at === null,
  };
}

/** Returns true if a trip begins before the evening, or ends before it begins. Ambiguous dates don't count. */
function isImpossible(departure: string | null, homecoming: string | null, evening: string): boolean {
  const departureDay = tripDays(departure, null, evening)?.first;
  if (departureDay === undefined) return false;
  const returnDay = tripDays(homecoming, null, departureDay)?.first;
  return departureDay < evening || (returnDay !== undefined && returnDay < departureDay);
}

/** Verdict of «Pronta?»: `ready` if no reason is red, `over` after the evening. */
export const READY_VERDICTS = ['ready', 'not_ready', 'over'] as const;
export type ReadyVerdict = (typeof READY_VERDICTS)[number];

export function readyVerdict(
  { preparation }: Pick<ReadinessFacts, 'preparation'>,
  reasons: readonly Pick<Reason, 'level'>[],
): ReadyVerdict {
  if (preparation.over) return 'over';
  return reasons.some(({ level }) => level === 'red') ? 'not_ready' : 'ready';
}
