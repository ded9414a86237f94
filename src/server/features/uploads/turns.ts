import { ERRORS, type Locker, type RequestRelease } from '@tus/server';

/** How long a request waits for the one before it to leave, in ms. */
const PATIENCE_MS = 10_000;

type Holder = { askToLeave: RequestRelease; left: Promise<void>; leave: () => void };

/**
 * One request at a time on an upload; the newest is the one that counts. Whoever comes asks the holder to leave, once, and sleeps until it
 * has: after a cut the first request may still be waiting for bytes that will never come. (The library's own locker asks again at every
 * turn of the event loop, which keeps a processor busy.)
 */
export function createTurns(): Locker {
  const holders = new Map<string, Holder>();
  return {
    newLock: (id) => ({
      async lock(signal, askToLeave) {
        for (let holder = holders.get(id); holder !== undefined; holder = holders.get(id)) {
          await holder.askToLeave();
          await leftInTime(holder.left, signal);
        }
        const { promise: left, resolve: leave } = Promise.withResolvers<void>();
        holders.set(id, { askToLeave, left, leave });
      },
      async unlock() {
        const holder = holders.get(id);
        holders.delete(id);
        holder?.leave();
      },
    }),
  };
}

/** Rejects as the library expects it when the holder doesn't leave in time, or when nobody waits any more. */
async function leftInTime(left: Promise<void>, signal: AbortSignal): Promise<void> {
  const late = Promise.withResolvers<never>();
  const giveUp = () => late.reject(ERRORS.ERR_LOCK_TIMEOUT);
  const timer = setTimeout(giveUp, PATIENCE_MS);
  signal.addEventListener('abort', giveUp, { once: true });
  await Promise.race([left, late.promise]).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  });
}
