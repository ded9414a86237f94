import type { Deps } from '../deps.ts';

/** Is whoever a body is sent to, or comes from, still allowed what was allowed at its beginning? Must not count as activity. */
export type IsStillAllowed = () => Promise<boolean>;

/** Bodies under way that a client can take up again or ask for anew: films, tickets, lists, uploads. */
export type Transfers = {
  /** Keeps one until the returned function is called. It is cut as soon as it isn't allowed any more, or when the server stops. */
  hold(cut: () => void, allowed?: IsStillAllowed): () => void;
  /** Cuts them all, and whatever still comes. */
  close(): void;
};

/**
 * As often as it is asked whether they are still allowed, in ms: a right that ends is felt within a second, however it ended (signing out,
 * a new password, the command that resets it, age) and on whichever node.
 */
const CHECK_EVERY_MS = 500;

type Transfer = { cut: () => void; allowed: IsStillAllowed };

export function createTransfers({ log }: Pick<Deps, 'log'>): Transfers {
  const held = new Set<Transfer>();
  let closed = false;
  let checking = false;
  const check = async () => {
    if (checking) return;
    checking = true;
    await Promise.all([...held].map(cutUnlessAllowed)).catch((error: unknown) => {
      log.warn({ err: error }, 'the right to a body under way could not be read');
    });
    checking = false;
  };
  const timer = setInterval(() => void check(), CHECK_EVERY_MS).unref();

  return {
    hold(cut, allowed = always) {
      if (closed) cut();
      const transfer = { cut, allowed };
      held.add(transfer);
      return () => void held.delete(transfer);
    },
    close() {
      closed = true;
      clearInterval(timer);
      for (const { cut } of held) cut();
    },
  };
}

const always: IsStillAllowed = () => Promise.resolve(true);

async function cutUnlessAllowed({ cut, allowed }: Transfer): Promise<void> {
  if (!(await allowed())) cut();
}
