import { binCutoff } from '../../../domain/bin.ts';
import { BIN } from '../../../domain/limits.ts';
import { HOUR_MS } from '../../../domain/time.ts';
import { emptyBin, forgetBinned, listBin } from '../../bin/bin.repo.ts';
import type { Deps } from '../../deps.ts';
import { startInterval } from '../../work/every.ts';

type SweepDeps = Pick<Deps, 'db' | 'inTransaction' | 'now' | 'log'>;

/**
 * Removes expired items from the bin, and the oldest beyond its capacity. The next sweep of the files deletes their
 * bytes. Several processes may run it concurrently.
 */
export async function sweepBin({ db, inTransaction, now }: SweepDeps): Promise<void> {
  await inTransaction((tx) => emptyBin(tx, binCutoff(now())));
  const beyond = (await listBin(db)).slice(BIN.items).map(({ id }) => id);
  await inTransaction((tx) => forgetBinned(tx, beyond));
}

/** Sweeps every hour. Returns a function that stops it, after a sweep in progress. */
export function startBinSweeper(deps: SweepDeps): () => Promise<void> {
  return startInterval(
    HOUR_MS,
    () => sweepBin(deps),
    (error) => deps.log.error({ err: error }, 'bin sweep failed'),
  ).stop;
}
