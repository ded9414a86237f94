import { endOfItalianDay, startOfItalianDay } from './access.ts';
import { italianDayOf } from './days.ts';
import { VISIT_LIFETIME_MS } from './limits.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './time.ts';

type Dates = { opens_at: string | null; data_laurea: string | null };

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
