import type { ReadinessReport } from '../../../contract/admin/dashboard.ts';
import type { MediaWarning } from '../../../contract/admin/media.ts';
import { accessVerdict } from '../../../domain/access.ts';
import type { ChannelName } from '../../../domain/channels.ts';
import { withoutHiddenTrip } from '../../../domain/content.ts';
import { evaluateFindings } from '../../../domain/diagnosis.ts';
import { eveningTime, lastCheckDue, phaseOf } from '../../../domain/evening.ts';
import { DISK_SPACE, MINUTE_MS } from '../../../domain/limits.ts';
import { MEDIA_SLOTS, mediaIdOf, type SlotName, TICKET_SLOTS } from '../../../domain/media.ts';
import { type Reach, reachOf } from '../../../domain/reach.ts';
import { readiness } from '../../../domain/readiness.ts';
import type { ReasonId } from '../../../domain/readiness-reasons.ts';
import {
  type ChannelState,
  type ProbeResults,
  type ReadinessFacts,
  readyVerdict,
  reasonsAgainst,
} from '../../../domain/readiness-verdict.ts';
import { needsName, withRecipientName } from '../../../domain/recipient-name.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import type { Db, ReadyWatchTable } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { siteAddress } from '../../http/address.ts';
import { calls } from '../../http/calls.ts';
import { onChange, publishChange } from '../../live/bus.ts';
import { startInterval } from '../../work/timers.ts';
import { siteOf } from '../address/address.ts';
import { findConfig, readQuestions } from '../config/config.ts';
import { settingsFromRow } from '../config/settings.ts';
import { listDiagnoses, parseFindings } from '../diagnosis/diagnosis.ts';
import { readSlot } from '../media/library.ts';
import { findMedia } from '../media/media.ts';
import { canSend, openChannels } from '../notifications/channels.ts';
import { enqueueNotification } from '../notifications/notifications.repo.ts';
import { findAnswers } from '../questions/questions.ts';
import { rehearsalStatus } from '../rehearsal/rehearsal.ts';
import { knownVisits } from '../sessions/sessions.ts';
import { findTokens } from '../tokens/tokens.ts';
import { ticketPagesIn } from '../visit/snapshot.ts';
import {
  type AddressCheckResult,
  type ChannelCheckResult,
  eveningFiles,
  type FileCheckResult,
  fileCheckId,
  readChecks,
  runChecks,
  settingsOf,
} from './checks.ts';

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

function progressOf(schedule: ReadyWatchTable | undefined, now: Date): ReadinessReport['progress'] {
  if (schedule === undefined) return null;
  const { asking_until, done, total, wanted_at } = schedule;
  if (asking_until !== null && asking_until > now.toISOString()) return { done, total };
  return wanted_at === null ? null : { done: 0, total: 0 };
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

/**
 * Collects the facts for «Pronta?»: the current configuration, and the results of the last checks.
 * @param host the request's host; null outside a request
 */
export async function gatherFacts(deps: Deps, host: string | null): Promise<ReadinessFacts> {
  const preparation = await gatherPreparation(deps, host);
  return { preparation, tried: await gatherProbeResults(deps) };
}

async function gatherPreparation(deps: Deps, host: string | null): Promise<ReadinessFacts['preparation']> {
  const { db, secret, uploads, unnamedProxy } = deps;
  const now = deps.now();
  const [row, questions, codes, visits, answers, video, canzone, room] = await Promise.all([
    findConfig(db),
    readQuestions(db),
    findTokens(db),
    knownVisits(db, now),
    findAnswers(db),
    warningsOf(db, 'video'),
    warningsOf(db, 'canzone'),
    uploads.folder.freeBytes(),
  ]);
  const written = withoutHiddenTrip({ config: settingsFromRow(secret, row), questions });
  const { phase } = phaseOf({ visits, answers, codes, opens_at: row?.opens_at ?? null }, now);
  return {
    ...withRecipientName(written),
    nameless: needsName(written),
    usableCodes: codes.filter((code) => accessVerdict(code, now) === 'ok').length,
    codes,
    video,
    canzone,
    reach: reachOfSite(deps, host),
    unnamedProxy: unnamedProxy.seen !== null,
    begun: phase !== 'waiting',
    over: phase === 'over',
    diskLow: room < DISK_SPACE.low,
  };
}

/**
 * Returns the reach of the address in the visitor's message: the site address, else the administrator's page (`host`).
 * Null if unknown.
 */
function reachOfSite(deps: Deps, host: string | null): Reach | null {
  const { unnamedProxy } = deps;
  const { reach, served, open_to_network } = siteOf(deps);
  if (reach !== 'none') return reach;
  const isProxied = served === 'proxy' || unnamedProxy.seen !== null;
  const isHere = host === null ? !open_to_network : reachOf(new URL(`http://${host}`).hostname) === 'machine';
  return isHere && !isProxied ? 'machine' : null;
}

/** Returns the warnings of the slot's active file, or undefined if it has none. */
async function warningsOf(db: Db, slot: SlotName): Promise<readonly MediaWarning[] | undefined> {
  return (await readSlot(db, slot)).items.find(({ attivo }) => attivo)?.warnings;
}

async function gatherProbeResults(deps: Deps): Promise<ProbeResults> {
  const { db } = deps;
  const site = siteAddress(deps);
  const [result, files, tickets, phones, rehearsal, channels] = await Promise.all([
    readChecks(db),
    eveningFiles(db),
    ticketsInUse(db),
    listDiagnoses(db),
    rehearsalStatus(db),
    openChannels(deps),
  ]);
  const address = result<AddressCheckResult>('address');
  const stateOf = async (channel: ChannelName): Promise<ChannelState> => {
    if (!canSend(channels[channel])) return channels[channel] === 'unset' ? 'unset' : 'refused';
    const known = result<ChannelCheckResult>(channel);
    return known?.settings === (await settingsOf(deps, channel)) ? known.state : 'untried';
  };
  return {
    files: files.map(({ id, role, media }) => {
      const known = result<FileCheckResult>(fileCheckId(id));
      const isSameFile = known !== null && known.sha256 === (media?.sha256 ?? '');
      return { role, state: media === null ? 'gone' : isSameFile ? known.state : 'untried' };
    }),
    tickets,
    address: site === null ? 'unset' : address?.asked === site ? address : null,
    sharing:
      deps.sharing.address() === null ? 'none' : deps.sharing.lostAddress() === null ? 'shared' : 'changed',
    telegram: await stateOf('telegram'),
    email: await stateOf('email'),
    clockAheadMs: result<{ aheadMs: number }>('clock')?.aheadMs ?? null,
    rehearsal,
    phones: phones.map(({ findings }) => evaluateFindings(parseFindings(findings)).verdict),
  };
}

/** Returns the configured ticket PDFs with their drawn pages. A picture of tickets is shown directly. */
async function ticketsInUse(db: Db): Promise<ProbeResults['tickets']> {
  const config = await findConfig(db);
  const found = TICKET_SLOTS.map(async (slot) => {
    const { field, viaggio } = MEDIA_SLOTS[slot];
    if (viaggio === 2 && config?.secondo_viaggio === false) return [];
    const media = await findMedia(db, mediaIdOf(config?.[field] ?? null) ?? '');
    const isPdf = media?.content_type === 'application/pdf';
    return isPdf ? [{ viaggio, pages: ticketPagesIn(media.pages) }] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Poll interval of the schedule, in ms. */
const POLL_MS = MINUTE_MS;

/** Runs the checks every minute if they are due, and after each request. Returns a function that stops it and aborts a running check. */
export function startReadinessJob(deps: Deps): () => Promise<void> {
  let busy = false;
  return startInterval(
    POLL_MS,
    async (signal) => {
      busy = true;
      await runScheduledChecks(deps, signal).finally(() => {
        busy = false;
      });
    },
    (error) => deps.log.error({ err: error }, 'it could not be tried whether the evening is ready'),
    // Ignores the changes that a running check publishes itself.
    (now) => onChange(deps, ['ready'], () => !busy && now()),
  ).stop;
}

/**
 * Runs the checks if they are requested or due, and notifies the administrator of reasons that became red since the last due run.
 * One process per database runs them.
 */
export async function runScheduledChecks(deps: Deps, signal: AbortSignal): Promise<void> {
  const now = deps.now();
  const schedule = await findSchedule(deps.db);
  if (schedule === undefined) return deps.inTransaction((tx) => ensureSchedule(tx, now));
  const config = await findConfig(deps.db);
  const due = lastCheckDue(eveningTime(config ?? { opens_at: null, data_laurea: null }), now);
  const isDue = schedule.watched_at < new Date(due.at).toISOString();
  if (!isDue && schedule.wanted_at === null) return;
  if (!(await deps.inTransaction((tx) => claimRun(tx, due.at, now)))) return;
  const update = (change: ScheduleChange) => deps.inTransaction((tx) => updateSchedule(tx, change));
  try {
    await runChecks(deps, {
      fresh: isDue && due.isNight,
      signal,
      async progress(done, total) {
        await update({ done, total, asking_until: leaseFrom(deps.now()) });
        publishChange(deps, 'ready');
      },
    });
    await update({ asked_at: deps.now().toISOString(), wanted_at: null, asking_until: null });
    if (isDue) await notifyWorse(deps, due);
  } catch (error) {
    // The request stays stored, and the next poll resumes it.
    await update({ asking_until: null });
    if (!signal.aborted) throw error;
  } finally {
    publishChange(deps, 'ready');
  }
}

/** Notifies of reasons that are red now and weren't at the last due run. A first run at night only stores them: nothing has changed yet. */
async function notifyWorse(deps: Deps, due: { at: number; isNight: boolean }): Promise<void> {
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

/** Lease of the running process in ms, renewed by each progress report. It expires if the process died. */
const LEASE_MS = 15 * MINUTE_MS;

const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS).toISOString();

export async function findSchedule(db: Db): Promise<ReadyWatchTable | undefined> {
  return db.selectFrom('ready_watch').selectAll().where('id', '=', 1).executeTakeFirst();
}

/** Inserts the row if it is missing. Runs that were due before `now` are skipped. */
export async function ensureSchedule(tx: Db, now: Date): Promise<void> {
  await tx
    .insertInto('ready_watch')
    .values({ id: 1, watched_at: now.toISOString(), done: 0, total: 0 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

type ScheduleChange = Partial<Omit<ReadyWatchTable, 'id'>>;

export async function updateSchedule(tx: Db, change: ScheduleChange): Promise<void> {
  await tx.updateTable('ready_watch').set(change).where('id', '=', 1).execute();
}

/**
 * Claims the run if it is requested or due and unclaimed. Of concurrent callers one succeeds.
 * @param due time of the latest due run, in ms
 */
export async function claimRun(tx: Db, due: number, now: Date): Promise<boolean> {
  const claimed = await tx
    .updateTable('ready_watch')
    .set({ asking_until: leaseFrom(now), done: 0, total: 0 })
    .where('id', '=', 1)
    .where((eb) => eb.or([eb('asking_until', 'is', null), eb('asking_until', '<=', now.toISOString())]))
    .where((eb) =>
      eb.or([eb('wanted_at', 'is not', null), eb('watched_at', '<', new Date(due).toISOString())]),
    )
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}
