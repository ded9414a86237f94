import type { Locker, RequestRelease } from '@tus/server';
import { acquireWithin, type Lease, type Leases, UploadLocked } from './leases.ts';

/** Timeout in ms for the previous request to leave. */
const TIMEOUT_MS = 10_000;

type Holder = { askToLeave: RequestRelease; left: Promise<void>; leave: () => void };

/**
 * Admits one request per upload; the newest takes precedence. It asks the holder once to leave, and sleeps until then:
 * after a lost connection the holder may wait for bytes that never come.
 * The library's own locker asks at every turn of the event loop, which keeps a processor busy.
 * Among several nodes, the upload's lease decides.
 */
export function createLocker(leases: Leases): Locker {
  const holders = new Map<string, Holder>();

  async function enter(id: string, signal: AbortSignal, askToLeave: RequestRelease): Promise<void> {
    for (let holder = holders.get(id); holder !== undefined; holder = holders.get(id)) {
      await holder.askToLeave();
      await waitForRelease(holder.left, signal);
    }
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    holders.set(id, { askToLeave, left, leave });
  }

  function leave(id: string): void {
    const holder = holders.get(id);
    holders.delete(id);
    holder?.leave();
  }

  return {
    newLock(id) {
      let lease: Lease | undefined;
      return {
        async lock(signal, askToLeave) {
          await enter(id, signal, askToLeave);
          try {
            lease = await acquireWithin(leases, `lock:${id}`, signal);
          } catch (error) {
            leave(id);
            throw error;
          }
          lease.signal.addEventListener('abort', () => void askToLeave(), { once: true });
        },
        async unlock() {
          await lease?.release();
          leave(id);
        },
      };
    },
  };
}

/** Rejects after a timeout or if aborted. */
async function waitForRelease(left: Promise<void>, signal: AbortSignal): Promise<void> {
  const late = Promise.withResolvers<never>();
  const giveUp = () => late.reject(new UploadLocked());
  const timer = setTimeout(giveUp, TIMEOUT_MS);
  signal.addEventListener('abort', giveUp, { once: true });
  await Promise.race([left, late.promise]).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  });
}
