import type { ReadinessReport } from '../../../contract/admin/readiness.ts';
import { readiness } from '../../../domain/readiness.ts';
import { readyVerdict, reasonsAgainst } from '../../../domain/readiness-verdict.ts';
import type { AdminActor } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import { publishChange } from '../../live/announce.ts';
import { type FactDeps, gatherFacts } from './facts.ts';
import { type CheckSchedule, ensureSchedule, findSchedule, updateSchedule } from './watch.repo.ts';

/** Returns the report for «Pronta?» from stored results, without running checks. */
export async function readReadiness(
  deps: FactDeps,
  _actor: AdminActor,
  host: string | null,
): Promise<ReadinessReport> {
  const schedule = await findSchedule(deps.db);
  const now = deps.now();
  const facts = await gatherFacts(deps, host);
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

type ChangeDeps = Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>;

/** «Controlla adesso»: requests a run and wakes the job. A run in progress satisfies the request too. */
export async function requestChecks(deps: ChangeDeps, _actor: AdminActor): Promise<void> {
  await deps.inTransaction(async (tx) => {
    await ensureSchedule(tx, deps.now());
    await updateSchedule(tx, { wanted_at: deps.now().toISOString() });
  });
  publishChange(deps, 'ready');
}
