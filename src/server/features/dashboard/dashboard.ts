import type { InferContractRouterOutputs } from '@orpc/contract';
import type { contract } from '../../../contract/contract.ts';
import { italianDayOf, lastItalianDays } from '../../../domain/days.ts';
import { ACCESS_CHART_DAYS, DAY_MS } from '../../../domain/limits.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import type { Db } from '../../db/tables.ts';
import { accessesByDay, countAccesses } from '../../event-log/events.repo.ts';
import { bind } from '../../http/calls.ts';
import { refusedByDay } from '../logs/refused-tries.repo.ts';

export const dashboardCall = bind(adminCalls.dashboard, readDashboard);

type Output = InferContractRouterOutputs<typeof contract>['admin']['dashboard'];

/** Returns the numbers of the dashboard and of the events' chart (spec 2 and 7 «Dashboard»). */
export async function readDashboard({ db, now, certificate }: AdminCtx): Promise<Output> {
  const moment = now();
  const days = lastItalianDays(moment, ACCESS_CHART_DAYS);
  const [tokens, accessi_totali, accessi_per_giorno] = await Promise.all([
    countTokens(db),
    countAccesses(db),
    accessesOf(db, days, moment),
  ]);
  return { ...tokens, accessi_totali, accessi_per_giorno, certificato: certificate?.state() ?? null };
}

export async function countTokens(db: Db): Promise<Pick<Output, 'token_totali' | 'token_attivi'>> {
  const counts = await db
    .selectFrom('tokens')
    .select((eb) => {
      const all = eb.fn.countAll();
      return [all.as('all'), all.filterWhere('attivo', '=', true).as('active')];
    })
    .executeTakeFirstOrThrow();
  return { token_totali: Number(counts.all), token_attivi: Number(counts.active) };
}

/**
 * Sums attempts by Italian day. Italian time differs from UTC by whole hours, so each hour belongs to one day. Older
 * refused attempts exist only as a count of their day.
 */
async function accessesOf(db: Db, days: string[], moment: Date): Promise<Output['accessi_per_giorno']> {
  const [first = ''] = days;
  // One day more than shown, so that the first day is complete despite daylight saving.
  const since = new Date(moment.getTime() - (ACCESS_CHART_DAYS + 1) * DAY_MS);
  const [succeeded, hours, counted] = await Promise.all([
    accessesByDay(db, first),
    refusedByHour(db, since),
    refusedByDay(db, first),
  ]);
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

/**
 * Counts the refused attempts that are still rows, by hour since a moment. `hour` is the start of a timestamp,
 * `YYYY-MM-DDTHH`, in UTC. `REFUSED_ENTRIES` limits their number.
 */
export async function refusedByHour(db: Db, since: Date): Promise<{ hour: string; count: number }[]> {
  const rows = await db
    .selectFrom('access_logs')
    .select(({ fn, lit }) => [
      fn<string>('substr', ['created_at', lit(1), lit(13)]).as('hour'),
      fn.countAll().as('count'),
    ])
    .where('created_at', '>=', since.toISOString())
    .where('success', '=', false)
    .groupBy('hour')
    .execute();
  return rows.map(({ hour, count }) => ({ hour, count: Number(count) }));
}
