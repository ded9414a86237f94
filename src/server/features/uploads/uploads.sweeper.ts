import { UPLOADS } from '../../../domain/limits.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/time.ts';
import type { Deps } from '../../deps.ts';
import { startInterval } from '../../work/every.ts';
import type { FolderEntry } from './upload-folder.ts';
import { activeUploadIds } from './uploads.ts';

type SweepDeps = Pick<Deps, 'uploads' | 'now' | 'log'>;

/** Time between two sweeps, in ms. */
const EVERY_MS = HOUR_MS;
/** What nobody can go on with is left alone for so long, in ms: it may be about to become something. */
const LEFTOVER_MS = 10 * MINUTE_MS;

/**
 * Removes what nobody can go on with (bytes without their announcement, pieces of a crash, strangers' files), and what nobody has touched
 * for 24 hours: uploads, finished or not, and the memory of how refused ones ended. One that any node is at stays.
 * @param leftoverMs how long the first kind must have lain there
 */
export async function sweepUploads(deps: SweepDeps, leftoverMs = LEFTOVER_MS): Promise<void> {
  const { folder, leases } = deps.uploads;
  await leases.sweep();
  const going = new Set((await folder.list()).flatMap(({ upload }) => upload?.id ?? []));
  const listed = await folder.entries();
  // Asked afterwards: what somebody began before that is in it.
  const isAtWork = await activeUploadIds(deps.uploads);
  const entries = listed.filter(({ id }) => id === null || !isAtWork(id));
  const now = deps.now().getTime();
  for (const entry of entries) {
    const kept = isOfUse(entry, going) ? UPLOADS.lifeMs : leftoverMs;
    // At the start, 0, also what a file system dates a moment ahead, or a clock set back left in the future.
    if (kept > 0 && now - lastTouched(entry, entries) < kept) continue;
    await folder.drop(entry.name);
    deps.log.info({ file: entry.name }, 'removed from the uploads what nobody went on with');
  }
}

/** The bytes and the announcement of an upload that can go on, and the memory of a refusal. */
function isOfUse({ name, id }: FolderEntry, going: ReadonlySet<string>): boolean {
  if (id === null) return false;
  return name === `${id}.refused` || (going.has(id) && (name === id || name === `${id}.json`));
}

/** An upload is as young as the youngest of its files. */
function lastTouched({ name, id, touched }: FolderEntry, entries: readonly FolderEntry[]): number {
  const family = entries.filter((other) => other.name === name || (id !== null && other.id === id));
  return Math.max(touched, ...family.map((other) => other.touched));
}

/**
 * The same before anybody is let in. Where the folder is this process's alone nothing in it can be about to become something; with
 * PostgreSQL another process may be writing there.
 */
export async function sweepUploadsAtStart(deps: SweepDeps & Pick<Deps, 'env'>): Promise<void> {
  const alone = deps.env.DATABASE_URL === undefined;
  await sweepUploads(deps, alone ? 0 : LEFTOVER_MS).catch(failed(deps));
}

/** Sweeps every hour. Returns what stops it. */
export function startUploadSweeper(deps: SweepDeps): () => Promise<void> {
  return startInterval(EVERY_MS, () => sweepUploads(deps), failed(deps)).stop;
}

const failed =
  ({ log }: Pick<Deps, 'log'>) =>
  (error: unknown) =>
    log.error({ err: error }, 'upload sweep failed');
