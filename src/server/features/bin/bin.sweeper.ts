import { binCutoff } from '../../../domain/bin.ts';
import { BIN } from '../../../domain/limits.ts';
import { HOUR_MS } from '../../../domain/time.ts';
import { emptyBin, forgetBinned, listBin } from '../../bin/bin.repo.ts';
import type { Deps } from '../../deps.ts';
import { startInterval } from '../../work/every.ts';

type SweepDeps = Pick<Deps, 'db' | 'inTransaction' | 'now' | 'log'>;

/**
 * Lets go what has lain in the bin for its time, and the oldest beyond the most it holds. The bytes go with the next sweep of the files. Several
 * processes may do it at once.
 */
export async function sweepBin({ db, inTransaction, now }: SweepDeps): Promise<void> {
  await inTransaction((tx) => emptyBin(tx, binCutoff(now())));
  const beyond = (await listBin(db)).slice(BIN.items).map(({ id }) => id);
  await inTransaction((tx) => forgetBinned(tx, beyond));
}

/** Does so every hour. Returns what stops it; a round under way is waited for. */
export function startBinSweeper(deps: SweepDeps): () => Promise<void> {
  return startInterval(
    HOUR_MS,
    () => sweepBin(deps),
    (error) => deps.log.error({ err: error }, 'bin sweep failed'),
  ).stop;
}
