import { UPLOADS } from '../../../domain/limits.ts';
import type { Deps } from '../../deps.ts';

type SweepDeps = Pick<Deps, 'uploads' | 'now' | 'log'>;

/** Time between two sweeps, in ms. */
const EVERY_MS = 10 * 60_000;

/**
 * Removes uploads nobody has written to for 24 hours, finished or not, with what was made of them and the memory of how they ended. One that
 * is being checked stays.
 */
export async function sweepUploads({ uploads: { folder, jobs }, now, log }: SweepDeps): Promise<void> {
  for (const [id, touched] of await folder.ages()) {
    if (now().getTime() - touched < UPLOADS.lifeMs || jobs.has(id)) continue;
    await folder.forget(id);
    log.info({ upload: id }, 'removed an upload that nobody went on with');
  }
}

/** Sweeps every ten minutes. Returns what stops it, and the checks under way: they begin again after the next start. */
export function startUploadSweeper(deps: SweepDeps): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = sweepUploads(deps).catch((error: unknown) =>
      deps.log.error({ err: error }, 'upload sweep failed'),
    );
  }, EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await Promise.all([running, deps.uploads.jobs.close()]);
  };
}
