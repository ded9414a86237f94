import type { ReadinessReport } from '../../../contract/admin/readiness.ts';
import { readiness } from '../../../domain/readiness.ts';
import { readyVerdict, reasonsAgainst } from '../../../domain/readiness-verdict.ts';
import type { AdminCtx } from '../../auth/actor.ts';
import { adminCalls } from '../../auth/admin-calls.ts';
import { calls } from '../../http/calls.ts';
import { publishChange } from '../../live/announce.ts';
import { gatherFacts } from './facts.ts';
import { type CheckSchedule, ensureSchedule, findSchedule, updateSchedule } from './ready.repo.ts';

export const readinessCalls = calls(adminCalls.ready, {
  read: (ctx, _input, { headers }) => readReadiness(ctx, headers.get('host')),
  check: requestChecks,
});

/** Returns the report for «Pronta?» from stored results, without running checks. */
export async function readReadiness(ctx: AdminCtx, host: string | null): Promise<ReadinessReport> {
  const schedule = await findSchedule(ctx.db);
  const now = ctx.now();
  const facts = await gatherFacts(ctx, host);
  const reasons = reasonsAgainst(facts, now);
  return {
    verdict: readyVerdict(facts, reasons),
    reasons,
    prepared: readiness(facts.preparation, now),
    asked_at: schedule?.asked_at ?? null,
    progress: progressOf(schedule, now),
  };
}

function progressOf(schedule: CheckSchedule | undefined, now: Date): ReadinessReport['progress'] {
  if (schedule === undefined) return null;
  const isUnderWay = schedule.asking_until !== null && schedule.asking_until > now.toISOString();
  if (!isUnderWay && schedule.wanted_at === null) return null;
  return isUnderWay ? { done: schedule.done, total: schedule.total } : { done: 0, total: 0 };
}

/** «Controlla adesso»: requests a run and wakes the job. A run in progress satisfies the request too. */
export async function requestChecks(ctx: AdminCtx): Promise<Record<string, never>> {
  await ctx.inTransaction(async (tx) => {
    await ensureSchedule(tx, ctx.now());
    await updateSchedule(tx, { wanted_at: ctx.now().toISOString() });
  });
  publishChange(ctx, 'ready');
  return {};
}
