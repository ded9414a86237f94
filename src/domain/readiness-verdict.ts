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

/** Why it isn't, or may not be, ready, and where that is mended: a page, and the part it opens with where it isn't the first. */
export type Reason = { id: ReasonId; level: ReasonLevel; page: string; part: string | null };

/** What the answer is made of: what is written and chosen, and what was found by trying. */
export type ReadinessFacts = {
  /** `over`: a visit has ended, and no code was created since. */
  preparation: Preparation & { config: { keepsake_until: string | null }; over: boolean };
  tried: ProbeResults;
};

/** It would disappoint, and yet it would go on: a choice, or something that only eyes and ears can judge. */
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
/** What would stand there in its place is nothing to be read on that evening. */
const READ_BY_HER: ReadonlySet<ReadinessId> = new Set(['titles_1', 'titles_2']);

/** «Pronta?» (decision 35): everything that speaks against it, the gravest first. */
export function reasonsAgainst({ preparation, tried }: ReadinessFacts, now: Date): Reason[] {
  const levels = new Map<ReasonId, ReasonLevel>();
  for (const item of readiness(preparation, now)) {
    const level = levelOf(item);
    if (level !== null) levels.set(item.id, level);
  }
  const { config, begun } = preparation;
  const evening = eveningTime(config);
  const found = { ...probeReasons(tried, { evening, begun, now }), ...datesOf(preparation, now) };
  for (const id of keysOf(PROBE_REASONS)) if (found[id] === true) levels.set(id, probeReasonLevel(id));
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
  if (state === 'missing' || READ_BY_HER.has(id)) return 'red';
  return state === 'advice' || NON_BLOCKING.has(id) ? 'amber' : 'red';
}

/** Dates that can't be meant beside the evening's own. */
function datesOf(preparation: ReadinessFacts['preparation'], now: Date): Partial<Record<ReasonId, boolean>> {
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

/** Does a trip begin before the evening, or end before it begins? Only days that are certain count. */
function isImpossible(departure: string | null, homecoming: string | null, evening: string): boolean {
  const there = tripDays(departure, null, evening)?.first;
  if (there === undefined) return false;
  const back = tripDays(homecoming, null, there)?.first;
  return there < evening || (back !== undefined && back < there);
}

/** The answer of «Pronta?»: `ready` if no reason is red, `over` after the evening. */
export const READY_VERDICTS = ['ready', 'not_ready', 'over'] as const;
export type ReadyVerdict = (typeof READY_VERDICTS)[number];

export function readyVerdict(
  { preparation }: Pick<ReadinessFacts, 'preparation'>,
  reasons: readonly Pick<Reason, 'level'>[],
): ReadyVerdict {
  if (preparation.over) return 'over';
  return reasons.some(({ level }) => level === 'red') ? 'not_ready' : 'ready';
}
