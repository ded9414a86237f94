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
  const watch = await findSchedule(deps.db);
  const now = deps.now();
  const facts = await gatherFacts(deps, host);
  const reasons = reasonsAgainst(facts, now);
  return {
    verdict: readyVerdict(facts, reasons),
    reasons,
    prepared: readiness(facts.preparation, now),
    asked_at: watch?.asked_at ?? null,
    progress: progressOf(watch, now),
  };
}

function progressOf(watch: CheckSchedule | undefined, now: Date): ReadinessReport['progress'] {
  if (watch === undefined) return null;
  const isUnderWay = watch.asking_until !== null && watch.asking_until > now.toISOString();
  if (!isUnderWay && watch.wanted_at === null) return null;
  return isUnderWay ? { done: watch.done, total: watch.total } : { done: 0, total: 0 };
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
