import { DISK_SPACE } from '../../../domain/limits.ts';
import { diskFull } from '../../../texts/notifications.ts';
import type { Deps } from '../../deps.ts';
import type { Reserve } from '../../storage/reserve.ts';
import { startInterval } from '../../work/every.ts';
import { purgeBinForSpace, type SpaceDeps } from '../media/media.sweeper.ts';
import { enqueueNotification } from '../notifications/notifications.repo.ts';

type JobDeps = Pick<Deps, 'inTransaction' | 'now' | 'log'>;

/** Interval between two checks, in ms. */
const INTERVAL_MS = 60_000;

/**
 * Returns a check that creates the reserve if there is space, and notifies the administrator once each time there is
 * not.
 * @param makeRoom frees space that may be freed first
 */
export function createReserveJob(deps: JobDeps, reserve: Reserve, makeRoom: () => Promise<void>) {
  let notified = false;
  return async function check(): Promise<void> {
    await makeRoom();
    if (await reserve.make()) {
      if (notified) deps.log.info('there is room on the disk again');
      notified = false;
      return;
    }
    if (notified) return;
    deps.log.error('there is no room on the disk for a reserve: nothing can be uploaded until there is');
    await deps.inTransaction((tx) =>
      enqueueNotification(tx, { type: 'error', success: false, error_message: diskFull }, deps.now()),
    );
    notified = true;
  };
}

/** Checks every minute, and after the reserve was released. Returns a function that stops it, after a check in progress. */
export function startReserveJob(deps: SpaceDeps & JobDeps, reserve: Reserve): () => Promise<void> {
  const hasRoom = async () =>
    (await reserve.make()) && (await deps.uploads.folder.freeBytes()) >= DISK_SPACE.low;
  const check = createReserveJob(deps, reserve, () => purgeBinForSpace(deps, hasRoom));
  const interval = startInterval(INTERVAL_MS, check, (error) =>
    deps.log.error({ err: error }, 'the reserve could not be kept'),
  );
  interval.now();
  reserve.onRelease(() => {
    deps.log.error('the disk was full: the reserve was let go');
    interval.now();
  });
  return interval.stop;
}
