import { endOfItalianDay, startOfItalianDay } from './access.ts';
import { italianDayOf } from './days.ts';
import { VISIT_LIFETIME_MS } from './limits.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './time.ts';

type Dates = { opens_at: string | null; data_laurea: string | null };

/** When the evening begins and when it is over at the latest, in milliseconds. */
export type EveningTime = { begins: number; ends: number };

/** As far as it is known: from the opening on, else on the graduation day, as Italian clocks have it. Null where neither is set. */
export function eveningTime({ opens_at, data_laurea }: Dates): EveningTime | null {
  const endOfDay = data_laurea === null ? 0 : endOfItalianDay(data_laurea);
  if (opens_at !== null) {
    const begins = Date.parse(opens_at);
    return { begins, ends: Math.max(begins + VISIT_LIFETIME_MS, endOfDay) };
  }
  return data_laurea === null ? null : { begins: startOfItalianDay(data_laurea), ends: endOfDay };
}

/** Everything is tried again each night, so long after midnight in Italy, and so long before the evening begins. Milliseconds. */
export const CHECK_TIMES = { night: 3.5 * HOUR_MS, before: [DAY_MS, 2 * HOUR_MS, 15 * MINUTE_MS] } as const;

/** The last moment up to now at which everything was to be tried; `isNight`: it was only one night of many. */
export function lastCheckDue(evening: EveningTime | null, now: Date): { at: number; isNight: boolean } {
  const today = startOfItalianDay(italianDayOf(now)) + CHECK_TIMES.night;
  const night = today <= now.getTime() ? today : today - DAY_MS;
  const before = evening === null ? [] : CHECK_TIMES.before.map((ms) => evening.begins - ms);
  const last = Math.max(0, ...before.filter((at) => at <= now.getTime()));
  return last > night ? { at: last, isNight: false } : { at: night, isNight: true };
}
