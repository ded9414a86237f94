import { DAY_MS, HOUR_MS } from '../../../domain/time.ts';
import type { Deps } from '../../deps.ts';
import { startInterval } from '../../work/every.ts';
import { forgetMedia, knownIds, listDeleted } from './media.repo.ts';
import { mediaKey } from './media.service.ts';
import { idsInBin, referencedIds } from './needed.ts';
import { forgetOrphans, noteOrphans } from './orphans.repo.ts';

type SweepDeps = Pick<Deps, 'db' | 'inTransaction' | 'storage' | 'now' | 'log'>;

/** Time between two sweeps, in ms. */
const EVERY_MS = HOUR_MS;
/** A file without a row is left alone for this long, in ms: its row may be about to be written. */
const ORPHAN_AGE_MS = DAY_MS;

/**
 * Removes the bytes of deleted files that no living visit needs and the bin doesn't hold, and files that have had no row for 24 hours.
 * The row goes first: a crash in between leaves an orphan for the next sweep, never a row without bytes.
 */
export async function sweepMedia(deps: SweepDeps): Promise<void> {
  await sweepDeleted(deps);
  await sweepOrphans(deps);
}

/** The files are read before what holds them: one that is deleted in between isn't among them, one that is taken back isn't forgotten. */
export async function sweepDeleted(deps: Omit<SweepDeps, 'log'>): Promise<void> {
  const deleted = await listDeleted(deps.db);
  if (deleted.length === 0) return;
  const binned = await idsInBin(deps.db);
  const living = await referencedIds(deps.db, deps.now());
  for (const media of deleted.filter(({ id }) => !living.has(id) && !binned.has(id))) {
    const gone = await deps.inTransaction((tx) => forgetMedia(tx, media));
    if (gone) await deps.storage.remove(mediaKey(media));
  }
}

/** When a file was first seen without a row is kept in the database: the storage doesn't tell how old it is, and no process lives for a day for sure. */
async function sweepOrphans({ db, inTransaction, storage, now, log }: SweepDeps): Promise<void> {
  const keys: string[] = [];
  for await (const key of storage.keys()) keys.push(key);
  const known = await knownIds(db, keys.map(idOf));
  const lost = keys.filter((key) => !known.has(idOf(key)));
  const seen = now();
  const before = new Date(seen.getTime() - ORPHAN_AGE_MS);
  const old = await inTransaction((tx) => noteOrphans(tx, lost, { now: seen, before }));
  for (const key of old) {
    await storage.remove(key);
    log.info({ file: key }, 'removed a file that belongs to nothing');
  }
  if (old.length > 0) await inTransaction((tx) => forgetOrphans(tx, old));
}

const idOf = (key: string) => key.replace(/\..*$/, '');

/** Sweeps every hour. Returns what stops it; a sweep under way is waited for. */
export function startMediaSweeper(deps: SweepDeps): () => Promise<void> {
  return startInterval(
    EVERY_MS,
    () => sweepMedia(deps),
    (error) => deps.log.error({ err: error }, 'media sweep failed'),
  ).stop;
}
