import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { AddressCheck } from '../../../contract/admin/site-address.ts';
import { CHANNELS, type ChannelName } from '../../../domain/channels.ts';
import { HOUR_MS } from '../../../domain/limits.ts';
import { mediaIdOf } from '../../../domain/media.ts';
import { RENDITION_NAMES } from '../../../domain/pictures.ts';
import { reachOf } from '../../../domain/reach.ts';
import type { AddressProbe, ChannelState, FileRole, FileState } from '../../../domain/readiness-verdict.ts';
import type { Db, ReadyTriesTable } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { siteAddress } from '../../http/address.ts';
import { type MediaTask, Preempted, type TaskOutcome } from '../../media-worker/worker.ts';
import { isRefused } from '../../refused.ts';
import { FileMissing } from '../../storage/storage.ts';
import { inspectAddress } from '../address/ask.ts';
import { readCaptions } from '../captions/captions.ts';
import { findConfig } from '../config/config.ts';
import {
  type CompanionKind,
  companionId,
  findMedias,
  type Media,
  mediaKey,
  PAGE_KINDS,
} from '../media/media.ts';
import { canSend, openChannels } from '../notifications/channels.ts';
import { readChannelSettings } from '../notifications/notifications.repo.ts';
import { createSnapshot } from '../visit/snapshot.ts';

type CheckOptions = {
  /** Also decodes files that were decoded recently. */
  fresh: boolean;
  signal: AbortSignal;
  /** Called before each check. */
  progress(done: number, total: number): Promise<void>;
};

/** One check: the id of its stored result, and a function that returns the result, or null if there was nothing to check. */
type ReadinessCheck = { id: string; run(): Promise<object | null> };

/** Runs all checks one after another and stores each result. Rejects if aborted; results stored until then remain. */
export async function runChecks(deps: Deps, { fresh, signal, progress }: CheckOptions): Promise<void> {
  const steps = await listChecks(deps, { fresh, signal });
  const ids = steps.map(({ id }) => id);
  await deps.inTransaction((tx) => deleteOtherChecks(tx, ids));
  for (const [done, { id, run }] of steps.entries()) {
    signal.throwIfAborted();
    await progress(done, steps.length);
    const found = await run();
    const row = { id, found: JSON.stringify(found), at: deps.now().toISOString() };
    await deps.inTransaction((tx) => saveCheck(tx, row));
  }
}

async function listChecks(
  deps: Deps,
  { fresh, signal }: Pick<CheckOptions, 'fresh' | 'signal'>,
): Promise<ReadinessCheck[]> {
  const [files, storedResult] = await Promise.all([eveningFiles(deps.db), readChecks(deps.db)]);
  const offsets: number[] = [];
  const addOffset = (ms: number | null) => void (ms !== null && offsets.push(ms));
  return [
    { id: 'address', run: () => checkSiteAddress(deps) },
    ...CHANNELS.map((channel) => ({
      id: channel,
      run: async () => {
        const { result, aheadMs } = await checkChannel(deps, channel, signal);
        addOffset(aheadMs);
        return result;
      },
    })),
    {
      id: 'clock',
      run: async () => {
        addOffset(await authorityClockOffset(deps, signal));
        // The smallest difference is the most reliable one: a reply may have been delayed.
        const [aheadMs = null] = offsets.toSorted((a, b) => Math.abs(a) - Math.abs(b));
        return aheadMs === null ? null : { aheadMs };
      },
    },
    ...files.map((file) => {
      const id = fileCheckId(file.id);
      const known = storedResult<FileCheckResult>(id);
      return { id, run: () => checkFile(deps, file, { known, fresh, signal }) };
    }),
  ];
}

/** Result of a file check, with the hash of the checked bytes and the time of the last decoding. */
export type FileCheckResult = { sha256: string; state: FileState; decoded_at: string | null };

/** Time in ms before an unchanged file is decoded again, unless `fresh`. */
const DECODED_TTL_MS = 23 * HOUR_MS;
/** Maximum number of restarts after a preemption; then the file stays untried until the next run. */
const MAX_PREEMPTIONS = 10;

type FileCheckOptions = { known: FileCheckResult | null; fresh: boolean; signal: AbortSignal };

/** Reads a file to its end, compares its hash with the stored one and decodes it. After an error of the machine the state is 'untried'. */
export async function checkFile(
  deps: Deps,
  { id, media }: EveningFile,
  { known, fresh, signal }: FileCheckOptions,
): Promise<FileCheckResult> {
  if (media === null) return { sha256: '', state: 'gone', decoded_at: null };
  const { sha256 } = media;
  try {
    const read = await hashOf(deps, media, signal);
    if (read === null) return { sha256, state: 'gone', decoded_at: null };
    if (read !== sha256) return { sha256, state: 'changed', decoded_at: null };
    const isKnown = known?.sha256 === sha256 && known.state === 'whole';
    const age = deps.now().getTime() - Date.parse(known?.decoded_at ?? '1970-01-01');
    if (isKnown && !fresh && age < DECODED_TTL_MS) return known;
    const state = (await decodes(deps, media, signal)) ? 'whole' : 'undecodable';
    return { sha256, state, decoded_at: deps.now().toISOString() };
  } catch (error) {
    if (signal.aborted) throw error;
    deps.log.warn({ err: error, file: id }, 'a file could not be tried');
    return { sha256, state: 'untried', decoded_at: null };
  }
}

/** Returns the SHA-256 of the stored bytes, or null if the file is missing. */
async function hashOf({ storage }: Deps, media: Media, signal: AbortSignal): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of await storage.read(mediaKey(media))) {
      signal.throwIfAborted();
      hash.update(chunk as Buffer);
    }
    return hash.digest('hex');
  } catch (error) {
    if (error instanceof FileMissing) return null;
    throw error;
  }
}

async function decodes(deps: Deps, media: Media, signal: AbortSignal): Promise<boolean> {
  if (media.content_type === 'text/vtt')
    return !isRefused(readCaptions(await text(await deps.storage.read(mediaKey(media)))));
  const result = await deps.storage.withLocalPath(mediaKey(media), (path) =>
    runWithRestarts(deps, taskFor(media.content_type, path), signal),
  );
  return !('refused' in result);
}

function taskFor(content_type: string, path: string): MediaTask {
  if (content_type === 'application/pdf') return { task: 'tickets', path };
  return { task: 'whole', kind: content_type.startsWith('image/') ? 'picture' : 'sounding', path };
}

async function runWithRestarts(
  { mediaWorker }: Deps,
  work: MediaTask,
  signal: AbortSignal,
): Promise<TaskOutcome> {
  for (let restarts = 0; ; restarts += 1) {
    try {
      return await mediaWorker.run(work, { signal, progress: () => undefined });
    } catch (error) {
      if (!(error instanceof Preempted) || restarts === MAX_PREEMPTIONS) throw error;
    }
  }
}

/** `settings`: hash of the settings that were checked. */
export type ChannelCheckResult = { settings: string; state: ChannelState };

/** Returns the SHA-256 of a channel's settings. A stored result is only valid for the settings it was found with. */
export async function settingsOf({ env, db }: Deps, channel: ChannelName): Promise<string> {
  const all = (await readChannelSettings(db)) ?? null;
  const { telegram_bot_token, telegram_chat_id, ...mail } = all ?? {};
  const own = channel === 'telegram' ? [env.TELEGRAM_API_ROOT, telegram_bot_token, telegram_chat_id] : mail;
  return createHash('sha256').update(JSON.stringify(own)).digest('hex');
}

/**
 * Checks whether a channel would accept a message.
 * `aheadMs`: lead of this machine's clock over the channel's, in ms; null if unknown.
 */
export async function checkChannel(
  deps: Deps,
  channel: ChannelName,
  signal: AbortSignal,
): Promise<{ result: ChannelCheckResult; aheadMs: number | null }> {
  const settings = await settingsOf(deps, channel);
  const opened = (await openChannels(deps))[channel];
  // A channel that isn't set up needs no request.
  if (!canSend(opened)) return { result: { settings, state: 'untried' }, aheadMs: null };
  const { state, told: serverTime } = await opened.ask(signal);
  return {
    result: { settings, state },
    aheadMs: serverTime === null ? null : deps.now().getTime() - serverTime.getTime(),
  };
}

/**
 * Returns the lead of the clock over the certificate authority's, in ms.
 * Null if the server doesn't request its own certificate, or without a reply.
 */
export async function authorityClockOffset({ env, now }: Deps, signal: AbortSignal): Promise<number | null> {
  if (env.HTTPS_DOMAIN === undefined) return null;
  const timeoutSignal = AbortSignal.any([signal, AbortSignal.timeout(10_000)]);
  const answer = await fetch(env.ACME_DIRECTORY, { signal: timeoutSignal }).catch(() => null);
  await answer?.body?.cancel();
  const serverTime = Date.parse(answer?.headers.get('date') ?? '');
  return Number.isNaN(serverTime) ? null : now().getTime() - serverTime;
}

/** `asked`: the address that was checked. */
export type AddressCheckResult = AddressProbe & { asked: string };

/** Requests the site address without credentials; returns null if there is no site address. */
export async function checkSiteAddress(deps: Deps): Promise<AddressCheckResult | null> {
  const address = siteAddress(deps);
  if (address === null) return null;
  const url = new URL(address);
  const { found, certificate } = await inspectAddress(url, deps.secret);
  return {
    asked: address,
    found: FOUND[found],
    isPlain: url.protocol === 'http:' && reachOf(url.hostname) === 'public',
    certificate: certificate && { isGood: certificate.flaw === null, until: certificate.valid_until },
  };
}

const FOUND: Record<AddressCheck['found'], AddressProbe['found']> = {
  ours: 'ours',
  other_installation: 'other',
  wrong_host: 'other',
  not_ours: 'other',
  redirects: 'other',
  no_name: 'silent',
  refused: 'silent',
  silent: 'silent',
  unreachable: 'silent',
  no_https: 'silent',
};

/** A file that a visit would receive; `media` is null if its row no longer exists. */
export type EveningFile = { id: string; role: FileRole; media: Media | null };

/** Returns all files that a visit beginning now would show, with the companion files that may be sent instead. */
export async function eveningFiles(db: Db): Promise<EveningFile[]> {
  const row = await findConfig(db);
  if (row === undefined) return [];
  const { config, poster_url, light_url, captions } = await createSnapshot(db, row);
  const shown: [FileRole, string | null][] = [
    ['video', config.video_url],
    ['poster', poster_url],
    ['light', light_url],
    ['captions', captions?.url ?? null],
    ['song', config.canzone_url],
    ['picture_1', config.immagine_destinazione_url],
    ['picture_2', config.immagine_destinazione_url_2],
    ['tickets_1', config.biglietti_url],
    ['tickets_2', config.biglietti_url_2],
  ];
  const named = shown.flatMap(([role, url]) => {
    const id = mediaIdOf(url);
    return id === null ? [] : [{ role, id }];
  });
  const companions = named.flatMap(({ role, id }) => companionsOf(role, id));
  const files = [...named, ...companions];
  const rows = await findMedias(
    db,
    files.map(({ id }) => id),
  );
  const media = new Map(rows.map((each) => [each.id, each]));
  // Companion files are optional.
  return files
    .map((file) => ({ ...file, media: media.get(file.id) ?? null }))
    .filter(({ media }, index) => media !== null || index < named.length);
}

/** Returns the possible companion files: sizes and formats of a picture, drawn pages of tickets, the PDF of a picture of tickets. */
function companionsOf(role: FileRole, id: string): { role: FileRole; id: string }[] {
  const ofTickets: CompanionKind[] = role.startsWith('tickets') ? ['pdf', ...PAGE_KINDS] : [];
  const kinds = role.startsWith('picture') ? RENDITION_NAMES : ofTickets;
  return kinds.map((kind) => ({ role, id: companionId(id, kind) }));
}

export const fileCheckId = (id: string): string => `file:${id}`;

/** Returns a function that returns a check's stored result, or null. Only this server writes them, so they aren't validated. */
export async function readChecks(db: Db): Promise<<T>(id: string) => T | null> {
  const rows = await db.selectFrom('ready_tries').selectAll().execute();
  const results = new Map(rows.map(({ id, found }) => [id, JSON.parse(found)]));
  return (id) => results.get(id) ?? null;
}

export async function saveCheck(tx: Db, row: ReadyTriesTable): Promise<void> {
  const { id: _id, ...found } = row;
  await tx
    .insertInto('ready_tries')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(found))
    .execute();
}

/** Deletes the results of checks that aren't in `ids`: their files left the evening. */
export async function deleteOtherChecks(tx: Db, ids: readonly string[]): Promise<void> {
  const deletion = tx.deleteFrom('ready_tries');
  await (ids.length === 0 ? deletion : deletion.where('id', 'not in', ids)).execute();
}
