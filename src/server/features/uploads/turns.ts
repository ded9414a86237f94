import type { Locker, RequestRelease } from '@tus/server';
import { acquireUntilAborted, type Lease, type Leases, UploadLocked } from './leases.ts';

/** Time in ms for the previous request to end. */
const RELEASE_TIMEOUT_MS = 10_000;

type Holder = { requestRelease: RequestRelease; released: Promise<void>; resolveReleased: () => void };

/**
 * Admits one request per upload; the newest takes precedence. Each new request asks the holder once to release the upload, and waits:
 * after a lost connection the holder may wait for bytes that never come.
 * The library's own locker polls without a pause.
 * The lease `lock:<id>` excludes other nodes. If it is lost, the holder is asked to release.
 */
export function createLocker(leases: Leases): Locker {
  const holders = new Map<string, Holder>();

  async function acquireLocal(
    id: string,
    signal: AbortSignal,
    requestRelease: RequestRelease,
  ): Promise<void> {
    for (let holder = holders.get(id); holder !== undefined; holder = holders.get(id)) {
      await holder.requestRelease();
      await waitForRelease(holder.released, signal);
    }
    const { promise: released, resolve: resolveReleased } = Promise.withResolvers<void>();
    holders.set(id, { requestRelease, released, resolveReleased });
  }

  function leave(id: string): void {
    const holder = holders.get(id);
    holders.delete(id);
    holder?.resolveReleased();
  }

  return {
    newLock(id) {
      let lease: Lease | undefined;
      return {
        async lock(signal, requestRelease) {
          await acquireLocal(id, signal, requestRelease);
          try {
            lease = await acquireUntilAborted(leases, `lock:${id}`, signal);
          } catch (error) {
            leave(id);
            throw error;
          }
          lease.signal.addEventListener('abort', () => void requestRelease(), { once: true });
        },
        async unlock() {
          await lease?.release();
          leave(id);
        },
      };
    },
  };
}

/** Rejects with `UploadLocked` after a timeout or if aborted. */
async function waitForRelease(released: Promise<void>, signal: AbortSignal): Promise<void> {
  const late = Promise.withResolvers<never>();
  const giveUp = () => late.reject(new UploadLocked());
  const timer = setTimeout(giveUp, RELEASE_TIMEOUT_MS);
  signal.addEventListener('abort', giveUp, { once: true });
  await Promise.race([released, late.promise]).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  });
}
