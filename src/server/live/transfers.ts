import type { Deps } from '../deps.ts';
import { startInterval } from '../work/timers.ts';

/** Returns true if the right to a running transfer still exists. Must not count as activity. */
export type IsStillAllowed = () => Promise<boolean>;

/** Running transfers that a client can resume or repeat: films, tickets, lists, uploads. */
export type Transfers = {
  /** Registers a transfer until the returned function is called. `cut` runs when the right ends or the server stops. */
  hold(cut: () => void, isStillAllowed?: IsStillAllowed): () => void;
  /** Aborts all transfers, also later ones. */
  close(): void;
};

/**
 * Interval of the checks in ms: a lost right takes effect within a second on every node, after a sign-out, a new password, the reset
 * command or expiry.
 */
const CHECK_EVERY_MS = 500;

type Transfer = { cut: () => void; isStillAllowed: IsStillAllowed };

export function createTransfers({ log }: Pick<Deps, 'log'>): Transfers {
  const running = new Set<Transfer>();
  let closed = false;
  const checks = startInterval(
    CHECK_EVERY_MS,
    () => Promise.all([...running].map(cutUnlessAllowed)),
    (error) => log.warn({ err: error }, 'the right to a body under way could not be read'),
  );

  return {
    hold(cut, isStillAllowed = alwaysAllowed) {
      if (closed) cut();
      const transfer = { cut, isStillAllowed };
      running.add(transfer);
      return () => void running.delete(transfer);
    },
    close() {
      closed = true;
      void checks.stop();
      for (const { cut } of running) cut();
    },
  };
}

const alwaysAllowed: IsStillAllowed = () => Promise.resolve(true);

async function cutUnlessAllowed({ cut, isStillAllowed }: Transfer): Promise<void> {
  if (!(await isStillAllowed())) cut();
}
