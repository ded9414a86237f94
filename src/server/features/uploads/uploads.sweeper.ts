import { HOUR_MS, MINUTE_MS, UPLOADS } from '../../../domain/limits.ts';
import type { Deps } from '../../deps.ts';
import { startInterval } from '../../work/every.ts';
import type { FolderEntry } from './upload-folder.ts';
import { activeUploadIds } from './uploads.ts';

type SweepDeps = Pick<Deps, 'uploads' | 'now' | 'log'>;

/** Interval of the sweep, in ms. */
const INTERVAL_MS = HOUR_MS;
/** Minimum age of leftovers in ms: they may be about to become an upload. */
const LEFTOVER_MS = 10 * MINUTE_MS;

/**
 * Removes leftovers (bytes without an announcement, chunks after a crash, foreign files), and what was untouched for 24 hours:
 * uploads, finished or not, and stored refusals. Uploads that a node works on stay.
 * @param leftoverMs minimum age of leftovers
 */
export async function sweepUploads(deps: SweepDeps, leftoverMs = LEFTOVER_MS): Promise<void> {
  const { folder, leases } = deps.uploads;
  await leases.sweep();
  const resumable = new Set((await folder.list()).flatMap(({ upload }) => upload?.id ?? []));
  const listed = await folder.entries();
  // Read after the list, so that work which began before is included.
  const isActive = await activeUploadIds(deps.uploads);
  const entries = listed.filter(({ id }) => id === null || !isActive(id));
  const now = deps.now().getTime();
  for (const entry of entries) {
    const minAge = isUsable(entry, resumable) ? UPLOADS.lifeMs : leftoverMs;
    // At startup (0) also removes files dated in the future, by the file system or by a clock that was set back.
    if (minAge > 0 && now - lastTouched(entry, entries) < minAge) continue;
    await folder.drop(entry.name);
    deps.log.info({ file: entry.name }, 'removed from the uploads what nobody went on with');
  }
}

/** Returns true for bytes and announcement of an upload that can continue, and for a stored refusal. */
function isUsable({ name, id }: FolderEntry, resumable: ReadonlySet<string>): boolean {
  if (id === null) return false;
  return name === `${id}.refused` || (resumable.has(id) && (name === id || name === `${id}.json`));
}

/** Returns the last write to any file of the upload, in ms. */
function lastTouched({ name, id, touched }: FolderEntry, entries: readonly FolderEntry[]): number {
  const family = entries.filter((other) => other.name === name || (id !== null && other.id === id));
  return Math.max(touched, ...family.map((other) => other.touched));
}

/**
 * Sweeps before requests are accepted. In a folder of this process alone nothing can be in progress then;
 * with PostgreSQL another process may be writing there.
 */
export async function sweepUploadsAtStart(deps: SweepDeps & Pick<Deps, 'env'>): Promise<void> {
  const alone = deps.env.DATABASE_URL === undefined;
  await sweepUploads(deps, alone ? 0 : LEFTOVER_MS).catch(failed(deps));
}

/** Sweeps every hour. Returns a function that stops it. */
export function startUploadSweeper(deps: SweepDeps): () => Promise<void> {
  return startInterval(INTERVAL_MS, () => sweepUploads(deps), failed(deps)).stop;
}

const failed =
  ({ log }: Pick<Deps, 'log'>) =>
  (error: unknown) =>
    log.error({ err: error }, 'upload sweep failed');
