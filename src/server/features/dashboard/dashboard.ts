import type { InferContractRouterOutputs } from '@orpc/contract';
import type { contract } from '../../../contract/contract.ts';
import { italianDayOf, lastItalianDays } from '../../../domain/days.ts';
import { ACCESS_CHART_DAYS, DAY_MS } from '../../../domain/limits.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import { accessesByDay, countAccesses } from '../../event-log/visit-counts.repo.ts';
import { bind } from '../../http/calls.ts';
import { refusedByDay } from '../logs/refused-tries.repo.ts';
import { countTokens, type RefusedHour, refusedByHour } from './dashboard.repo.ts';

export const dashboardCall = bind(adminCalls.dashboard, readDashboard);

type Output = InferContractRouterOutputs<typeof contract>['admin']['dashboard'];

/** Returns the numbers of the dashboard and of the events' chart (spec 2 and 7 «Dashboard»). */
export async function readDashboard({ db, now, certificate }: AdminCtx): Promise<Output> {
  const moment = now();
  // One day more than shown, so that the first day is complete despite daylight saving.
  const since = new Date(moment.getTime() - (ACCESS_CHART_DAYS + 1) * DAY_MS);
  const days = lastItalianDays(moment, ACCESS_CHART_DAYS);
  const [first = ''] = days;
  const [tokens, accessi_totali, succeeded, hours, counted] = await Promise.all([
    countTokens(db),
    countAccesses(db),
    accessesByDay(db, first),
    refusedByHour(db, since),
    refusedByDay(db, first),
  ]);
  return {
    token_totali: tokens.totali,
    token_attivi: tokens.attivi,
    accessi_totali,
    accessi_per_giorno: byDay({ succeeded, hours, counted }, days),
    certificato: certificate?.state() ?? null,
  };
}

type Counted = {
  succeeded: readonly { giorno: string; accessi: number }[];
  hours: readonly RefusedHour[];
  counted: readonly { giorno: string; tentativi: number }[];
};

/**
 * Sums attempts by Italian day. Italian time differs from UTC by whole hours, so each hour belongs to one day. Older
 * refused attempts exist only as a count of their day.
 */
function byDay(
  { succeeded, hours, counted }: Counted,
  days: readonly string[],
): Output['accessi_per_giorno'] {
  const counts = new Map(days.map((giorno) => [giorno, { giorno, riusciti: 0, rifiutati: 0 }]));
  const add = (giorno: string, kind: 'riusciti' | 'rifiutati', count: number) => {
    const day = counts.get(giorno);
    if (day) day[kind] += count;
  };
  for (const { giorno, accessi } of succeeded) add(giorno, 'riusciti', accessi);
  for (const { hour, count } of hours) add(italianDayOf(new Date(`${hour}:00:00Z`)), 'rifiutati', count);
  for (const { giorno, tentativi } of counted) add(giorno, 'rifiutati', tentativi);
  return [...counts.values()];
}
