import { DAY_MS, HOUR_MS } from '../../../domain/time.ts';
import type { Deps } from '../../deps.ts';
import { startInterval } from '../../work/every.ts';
import { forgetMedia, knownIds, listDeleted } from './media.repo.ts';
import { mediaKey } from './media.service.ts';
import { idsInBin, referencedIds } from './needed.ts';
import { forgetOrphans, noteOrphans } from './orphans.repo.ts';

type SweepDeps = Pick<Deps, 'db' | 'inTransaction' | 'storage' | 'now' | 'log'>;

/** Interval between two sweeps, in ms. */
const INTERVAL_MS = HOUR_MS;
/** Age at which a file without a row is removed, in ms. Before that its row may still be written. */
const ORPHAN_AGE_MS = DAY_MS;

/**
 * Removes deleted files that no visit and no bin refers to, and files without a row for 24 hours. Deletes the row
 * first: a crash in between leaves an orphan for the next sweep, never a row without bytes.
 */
export async function sweepMedia(deps: SweepDeps): Promise<void> {
  await sweepDeleted(deps);
  await sweepOrphans(deps);
}

/** Reads the files before their references: a file deleted in between is not in the list, and a restored one is not removed. */
export async function sweepDeleted(deps: Omit<SweepDeps, 'log'>): Promise<void> {
  const deleted = await listDeleted(deps.db);
  if (deleted.length === 0) return;
  const binned = await idsInBin(deps.db);
  const referenced = await referencedIds(deps.db, deps.now());
  for (const media of deleted.filter(({ id }) => !referenced.has(id) && !binned.has(id))) {
    const isForgotten = await deps.inTransaction((tx) => forgetMedia(tx, media));
    if (isForgotten) await deps.storage.remove(mediaKey(media));
  }
}

/**
 * Removes files without a row. The database stores when each was first seen, because the storage has no ages and a
 * process may end within a day.
 */
async function sweepOrphans({ db, inTransaction, storage, now, log }: SweepDeps): Promise<void> {
  const keys: string[] = [];
  for await (const key of storage.keys()) keys.push(key);
  const existing = await knownIds(db, keys.map(idOf));
  const orphans = keys.filter((key) => !existing.has(idOf(key)));
  const seen = now();
  const before = new Date(seen.getTime() - ORPHAN_AGE_MS);
  const old = await inTransaction((tx) => noteOrphans(tx, orphans, { now: seen, before }));
  for (const key of old) {
    await storage.remove(key);
    log.info({ file: key }, 'removed a file that belongs to nothing');
  }
  if (old.length > 0) await inTransaction((tx) => forgetOrphans(tx, old));
}

const idOf = (key: string) => key.replace(/\..*$/, '');

/** Sweeps every hour. Returns a function that stops it, after a sweep in progress. */
export function startMediaSweeper(deps: SweepDeps): () => Promise<void> {
  return startInterval(
    INTERVAL_MS,
    () => sweepMedia(deps),
    (error) => deps.log.error({ err: error }, 'media sweep failed'),
  ).stop;
}
