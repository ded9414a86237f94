import type { Locker, RequestRelease } from '@tus/server';
import { acquireWithin, type Lease, type Leases, UploadLocked } from './leases.ts';

/** How long a request waits for the one before it to leave, in ms. */
const PATIENCE_MS = 10_000;

type Holder = { askToLeave: RequestRelease; left: Promise<void>; leave: () => void };

/**
 * One request at a time on an upload; the newest is the one that counts. Whoever comes asks the holder to leave, once, and sleeps until it
 * has: after a cut the first request may still be waiting for bytes that will never come. (The library's own locker asks again at every
 * turn of the event loop, which keeps a processor busy.) Of several nodes the one that has the upload's lease.
 */
export function createLocker(leases: Leases): Locker {
  const holders = new Map<string, Holder>();

  async function enter(id: string, signal: AbortSignal, askToLeave: RequestRelease): Promise<void> {
    for (let holder = holders.get(id); holder !== undefined; holder = holders.get(id)) {
      await holder.askToLeave();
      await leftInTime(holder.left, signal);
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

/** Rejects when the holder doesn't leave in time, or when nobody waits any more. */
async function leftInTime(left: Promise<void>, signal: AbortSignal): Promise<void> {
  const late = Promise.withResolvers<never>();
  const giveUp = () => late.reject(new UploadLocked());
  const timer = setTimeout(giveUp, PATIENCE_MS);
  signal.addEventListener('abort', giveUp, { once: true });
  await Promise.race([left, late.promise]).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  });
}
