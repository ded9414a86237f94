import { eveningTime, lastCheckDue } from '../../../domain/evening-time.ts';
import type { ReasonId } from '../../../domain/readiness-reasons.ts';
import { reasonsAgainst } from '../../../domain/readiness-verdict.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { publishChange } from '../../live/announce.ts';
import { startInterval } from '../../work/every.ts';
import { findConfig } from '../config/config.repo.ts';
import { enqueueNotification } from '../notifications/notifications.repo.ts';
import { type CheckDeps, runChecks } from './ask.service.ts';
import { gatherFacts } from './facts.ts';
import { claimRun, ensureSchedule, findSchedule, noteProgress, updateSchedule } from './watch.repo.ts';

/** Time between two looks whether it is to be tried again, in ms. */
const EVERY_MS = MINUTE_MS;

/**
 * Tries everything where that is wanted or due, and tells who prepares it of what has become red since it was due before. Of all processes on one
 * database one does it.
 */
export async function runScheduledChecks(deps: CheckDeps, signal: AbortSignal): Promise<void> {
  const now = deps.now();
  const watch = await findSchedule(deps.db);
  if (watch === undefined) return deps.inTransaction((tx) => ensureSchedule(tx, now));
  const config = await findConfig(deps.db);
  const evening = eveningTime(config ?? { opens_at: null, data_laurea: null });
  const due = lastCheckDue(evening, now);
  const isDue = watch.watched_at < new Date(due.at).toISOString();
  if (!isDue && watch.wanted_at === null) return;
  if (!(await deps.inTransaction((tx) => claimRun(tx, due.at, now)))) return;
  try {
    await tryAll(deps, { fresh: isDue && due.isNight, signal });
    await deps.inTransaction((tx) =>
      updateSchedule(tx, { asked_at: deps.now().toISOString(), wanted_at: null, asking_until: null }),
    );
    if (isDue) await notifyWorse(deps, due);
  } catch (error) {
    // What was wanted stays so; whoever looks next takes it up.
    await deps.inTransaction((tx) => updateSchedule(tx, { asking_until: null }));
    if (!signal.aborted) throw error;
  } finally {
    publishChange(deps, 'ready');
  }
}

async function tryAll(
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

/** What is red now and wasn't when it was watched before. The first night only learns how it stands: nothing has changed yet. */
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

/** Looks every minute, and when somebody wants it tried. Returns what stops it; what is under way is left where it is. */
export function startReadinessJob(deps: CheckDeps): () => Promise<void> {
  const stopping = new AbortController();
  let busy = false;
  const look = async () => {
    busy = true;
    await runScheduledChecks(deps, stopping.signal).finally(() => {
      busy = false;
    });
  };
  const looks = startInterval(EVERY_MS, look, (error) =>
    deps.log.error({ err: error }, 'it could not be tried whether the evening is ready'),
  );
  const forget = deps.live.subscribe((message) => {
    // Its own news says nothing to it.
    if (!busy && message.type === 'changed' && message.topics.includes('ready')) looks.now();
  });
  looks.now();
  return async () => {
    forget();
    stopping.abort();
    await looks.stop();
  };
}
