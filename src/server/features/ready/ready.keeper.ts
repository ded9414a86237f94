import { eveningTime, lastCheckDue } from '../../../domain/evening.ts';
import { MINUTE_MS } from '../../../domain/limits.ts';
import type { ReasonId } from '../../../domain/readiness-reasons.ts';
import { reasonsAgainst } from '../../../domain/readiness-verdict.ts';
import { publishChange } from '../../live/bus.ts';
import { startInterval } from '../../work/every.ts';
import { findConfig } from '../config/config.ts';
import { enqueueNotification } from '../notifications/notifications.repo.ts';
import { claimRun, ensureSchedule, findSchedule, noteProgress, updateSchedule } from './ready.repo.ts';
import { gatherFacts } from './ready.ts';
import { type CheckDeps, runChecks } from './try.ts';

/** Poll interval of the schedule, in ms. */
const POLL_MS = MINUTE_MS;

/**
 * Runs the checks if they are requested or due, and notifies the administrator of reasons that became red since the last due run.
 * One process per database runs them.
 */
export async function runScheduledChecks(deps: CheckDeps, signal: AbortSignal): Promise<void> {
  const now = deps.now();
  const schedule = await findSchedule(deps.db);
  if (schedule === undefined) return deps.inTransaction((tx) => ensureSchedule(tx, now));
  const config = await findConfig(deps.db);
  const evening = eveningTime(config ?? { opens_at: null, data_laurea: null });
  const due = lastCheckDue(evening, now);
  const isDue = schedule.watched_at < new Date(due.at).toISOString();
  if (!isDue && schedule.wanted_at === null) return;
  if (!(await deps.inTransaction((tx) => claimRun(tx, due.at, now)))) return;
  try {
    await runAllChecks(deps, { fresh: isDue && due.isNight, signal });
    await deps.inTransaction((tx) =>
      updateSchedule(tx, { asked_at: deps.now().toISOString(), wanted_at: null, asking_until: null }),
    );
    if (isDue) await notifyWorse(deps, due);
  } catch (error) {
    // The request stays stored, and the next poll resumes it.
    await deps.inTransaction((tx) => updateSchedule(tx, { asking_until: null }));
    if (!signal.aborted) throw error;
  } finally {
    publishChange(deps, 'ready');
  }
}

async function runAllChecks(
  deps: CheckDeps,
  { fresh, signal }: { fresh: boolean; signal: AbortSignal },
): Promise<void> {
  await runChecks(deps, {
    fresh,
    signal,
    async progress(done, total) {
      await deps.inTransaction((tx) => noteProgress(tx, { done, total }, deps.now()));
      publishChange(deps, 'ready');
    },
  });
}

/** Notifies of reasons that are red now and weren't at the last due run. A first run at night only stores them: nothing has changed yet. */
async function notifyWorse(deps: CheckDeps, due: { at: number; isNight: boolean }): Promise<void> {
  const facts = await gatherFacts(deps, null);
  const red = reasonsAgainst(facts, deps.now()).flatMap(({ id, level }) => (level === 'red' ? [id] : []));
  await deps.inTransaction(async (tx) => {
    const before = (await findSchedule(tx))?.told ?? null;
    const known = before === null ? (due.isNight ? red : []) : (JSON.parse(before) as ReasonId[]);
    const worse = red.filter((id) => !known.includes(id));
    await updateSchedule(tx, { told: JSON.stringify(red), watched_at: new Date(due.at).toISOString() });
    if (worse.length > 0 && !facts.preparation.begun)
      await enqueueNotification(tx, { type: 'not_ready', reasons: worse }, deps.now());
  });
}

/** Polls every minute and after each request. Returns a function that aborts a running check and stops the job. */
export function startReadinessJob(deps: CheckDeps): () => Promise<void> {
  const stopping = new AbortController();
  let busy = false;
  const poll = async () => {
    busy = true;
    await runScheduledChecks(deps, stopping.signal).finally(() => {
      busy = false;
    });
  };
  const polling = startInterval(POLL_MS, poll, (error) =>
    deps.log.error({ err: error }, 'it could not be tried whether the evening is ready'),
  );
  const unsubscribe = deps.live.subscribe((message) => {
    // Ignores the changes that a running check publishes itself.
    if (!busy && message.type === 'changed' && message.topics.includes('ready')) polling.now();
  });
  polling.now();
  return async () => {
    unsubscribe();
    stopping.abort();
    await polling.stop();
  };
}
