import type { ReadinessReport } from '../../../contract/admin/ready.ts';
import { readiness } from '../../../domain/readiness.ts';
import { readyVerdict, reasonsAgainst } from '../../../domain/ready.ts';
import type { AdminActor } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import { announce } from '../../live/announce.ts';
import { type FactDeps, gatherFacts } from './facts.ts';
import { changeWatch, ensureWatch, findWatch, type Watch } from './watch.repo.ts';

/** «Pronta?» as it is known now. */
export async function readReady(
  deps: FactDeps,
  _actor: AdminActor,
  host: string | null,
): Promise<ReadinessReport> {
  const watch = await findWatch(deps.db);
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

function progressOf(watch: Watch | undefined, now: Date): ReadinessReport['progress'] {
  if (watch === undefined) return null;
  const isUnderWay = watch.asking_until !== null && watch.asking_until > now.toISOString();
  if (!isUnderWay && watch.wanted_at === null) return null;
  return isUnderWay ? { done: watch.done, total: watch.total } : { done: 0, total: 0 };
}

type ChangeDeps = Pick<Deps, 'inTransaction' | 'now' | 'live' | 'log'>;

/** «Controlla adesso»: whoever works on it is called; where it is under way already nothing more is wanted. */
export async function wantAsked(deps: ChangeDeps, _actor: AdminActor): Promise<void> {
  await deps.inTransaction(async (tx) => {
    await ensureWatch(tx, deps.now());
    await changeWatch(tx, { wanted_at: deps.now().toISOString() });
  });
  announce(deps, 'ready');
}
