import type { ReadinessReport } from '../../../contract/admin/dashboard.ts';
import type { MediaWarning } from '../../../contract/admin/media.ts';
import { accessVerdict } from '../../../domain/access.ts';
import type { ChannelName } from '../../../domain/channels.ts';
import { withoutHiddenTrip } from '../../../domain/content.ts';
import { evaluateFindings } from '../../../domain/diagnosis.ts';
import { phaseOf } from '../../../domain/evening.ts';
import { DISK_SPACE } from '../../../domain/limits.ts';
import { MEDIA_SLOTS, mediaIdOf, type SlotName, TICKET_SLOTS } from '../../../domain/media.ts';
import { type Reach, reachOf } from '../../../domain/reach.ts';
import { readiness } from '../../../domain/readiness.ts';
import {
  type ChannelState,
  type ProbeResults,
  type ReadinessFacts,
  readyVerdict,
  reasonsAgainst,
} from '../../../domain/readiness-verdict.ts';
import { needsName, withRecipientName } from '../../../domain/recipient-name.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { siteAddress } from '../../http/address.ts';
import { calls } from '../../http/calls.ts';
import { publishChange } from '../../live/bus.ts';
import { siteOf } from '../address/address.ts';
import { findConfig, readQuestions } from '../config/config.ts';
import { settingsFromRow } from '../config/settings.ts';
import { listDiagnoses } from '../diagnosis/diagnosis.repo.ts';
import { parseFindings } from '../diagnosis/diagnosis.ts';
import { readSlot } from '../media/library.ts';
import { findMedia } from '../media/media.ts';
import { canSend, openChannels } from '../notifications/channels.ts';
import { findAnswers } from '../questions/questions.ts';
import { rehearsalStatus } from '../rehearsal/rehearsal.ts';
import { knownVisits } from '../sessions/sessions.ts';
import { listTokens } from '../tokens/tokens.ts';
import { ticketPagesIn } from '../visit/visit.repo.ts';
import {
  type CheckSchedule,
  ensureSchedule,
  findSchedule,
  readChecks,
  updateSchedule,
} from './ready.repo.ts';
import {
  type AddressCheckResult,
  type ChannelCheckResult,
  eveningFiles,
  type FileCheckResult,
  fileCheckId,
  parseResult,
  settingsOf,
} from './try.ts';

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

export type FactDeps = Pick<
  Deps,
  'db' | 'inTransaction' | 'now' | 'env' | 'sharing' | 'secret' | 'uploads' | 'unnamedProxy'
>;

/**
 * Collects the facts for «Pronta?»: the current configuration, and the results of the last checks.
 * @param host the request's host; null outside a request
 */
export async function gatherFacts(deps: FactDeps, host: string | null): Promise<ReadinessFacts> {
  const preparation = await gatherPreparation(deps, host);
  return { preparation, tried: await gatherProbeResults(deps) };
}

async function gatherPreparation(
  deps: FactDeps,
  host: string | null,
): Promise<ReadinessFacts['preparation']> {
  const { db, secret, uploads, unnamedProxy } = deps;
  const now = deps.now();
  const [row, questions, codes, visits, answers, video, canzone, room] = await Promise.all([
    findConfig(db),
    readQuestions(db),
    listTokens({ db }),
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
function reachOfSite(deps: FactDeps, host: string | null): Reach | null {
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

async function gatherProbeResults(deps: FactDeps): Promise<ProbeResults> {
  const { db } = deps;
  const site = siteAddress(deps);
  const [storedChecks, files, tickets, phones, rehearsal, channels] = await Promise.all([
    readChecks(db),
    eveningFiles(db),
    ticketsInUse(db),
    listDiagnoses(db),
    rehearsalStatus(db),
    openChannels(deps),
  ]);
  const address = parseResult<AddressCheckResult>(storedChecks.get('address'));
  const stateOf = async (channel: ChannelName): Promise<ChannelState> => {
    if (!canSend(channels[channel])) return channels[channel] === 'unset' ? 'unset' : 'refused';
    const known = parseResult<ChannelCheckResult>(storedChecks.get(channel));
    return known?.settings === (await settingsOf(deps, channel)) ? known.state : 'untried';
  };
  return {
    files: files.map(({ id, role, media }) => {
      const known = parseResult<FileCheckResult>(storedChecks.get(fileCheckId(id)));
      const isSameFile = known !== null && known.sha256 === (media?.sha256 ?? '');
      return { role, state: media === null ? 'gone' : isSameFile ? known.state : 'untried' };
    }),
    tickets,
    address: site === null ? 'unset' : address?.asked === site ? address : null,
    sharing:
      deps.sharing.address() === null ? 'none' : deps.sharing.lostAddress() === null ? 'shared' : 'changed',
    telegram: await stateOf('telegram'),
    email: await stateOf('email'),
    clockAheadMs: parseResult<{ aheadMs: number }>(storedChecks.get('clock'))?.aheadMs ?? null,
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
