import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { FileState } from '../../../domain/readiness-probes.ts';
import { HOUR_MS } from '../../../domain/time.ts';
import type { Deps } from '../../deps.ts';
import { type MediaTask, Preempted, type TaskOutcome } from '../../media-worker/worker.ts';
import { isRefused } from '../../refused.ts';
import { FileMissing } from '../../storage/storage.ts';
import { readCaptions } from '../captions/read-captions.ts';
import { type Media, mediaKey } from '../media/media.service.ts';
import type { EveningFile } from './evening-files.ts';

export type FileDeps = Pick<Deps, 'storage' | 'mediaWorker' | 'log' | 'now'>;

/** Result of a file check, with the hash of the checked bytes and the time of the last decoding. */
export type FileCheckResult = { sha256: string; state: FileState; decoded_at: string | null };

/** Time in ms before an unchanged file is decoded again, unless `fresh`. */
const DECODED_TTL_MS = 23 * HOUR_MS;
/** Maximum number of restarts after a preemption; then the file stays untried until the next run. */
const MAX_PREEMPTIONS = 10;

type FileCheckOptions = { known: FileCheckResult | null; fresh: boolean; signal: AbortSignal };

/** Reads a file to its end, compares its hash with the stored one and decodes it. After an error of the machine the state is 'untried'. */
export async function checkFile(
  deps: FileDeps,
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
async function hashOf({ storage }: FileDeps, media: Media, signal: AbortSignal): Promise<string | null> {
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

async function decodes(deps: FileDeps, media: Media, signal: AbortSignal): Promise<boolean> {
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
  { mediaWorker }: FileDeps,
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
