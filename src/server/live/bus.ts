import type { LiveTopic } from '../../contract/admin/dashboard.ts';
import type { Disconnection } from '../../contract/visit.ts';
import type { Db } from '../db/tables.ts';
import type { Deps } from '../deps.ts';

/** Messages between parts of the server and its nodes. */
export type BusMessage =
  /** Sessions closed by the administrator's actions. */
  | { type: 'disconnected'; session_ids: string[]; disconnection: Disconnection }
  /** The administrator's pages show outdated data of these topics. */
  | { type: 'changed'; topics: LiveTopic[] }
  /** An administrator session ended early. */
  | { type: 'signed_out' }
  /** Messages may have been lost: subscribers with state from messages must read it from the database. */
  | { type: 'resync' };

/** Delivers messages to all nodes, including this one. A node that was cut off receives a `resync`. */
export type LiveBus = {
  /** True if there may be other nodes, whose messages can be lost. */
  readonly shared: boolean;
  /** Sends to local subscribers at once, then to the other nodes. Never rejects: the change is already committed. */
  publish(message: BusMessage): Promise<void>;
  /**
   * Sends as part of a transaction: other nodes receive the message with the commit, even if this process ends then, and never after a
   * rollback. Returns a function that notifies local subscribers, to be called after the commit.
   */
  publishInTransaction(tx: Db, message: BusMessage): Promise<() => void>;
  /** Returns true if this node receives messages of the bus. */
  isReceiving(): boolean;
  /** Returns a function that ends the subscription. An error of a listener doesn't reach the publisher or other listeners. */
  subscribe(listener: (message: BusMessage) => void): () => void;
  close(): Promise<void>;
};

/** Publishes changed topics to the administrator's pages after a commit. Doesn't block the caller. */
export function publishChange({ live, log }: Pick<Deps, 'live' | 'log'>, ...topics: LiveTopic[]): void {
  live.publish({ type: 'changed', topics }).catch((error: unknown) => {
    log.warn({ err: error }, 'live message not published');
  });
}

/** Calls `run` after each change of one of these topics, on any node. Returns a function that ends this. */
export function onChange(
  { live }: Pick<Deps, 'live'>,
  topics: readonly LiveTopic[],
  run: () => void,
): () => void {
  return live.subscribe((message) => {
    if (message.type === 'changed' && topics.some((topic) => message.topics.includes(topic))) run();
  });
}

/** Receives background errors of a bus: a listener that throws, an unreachable node. */
export type OnBusError = (error: unknown) => void;

/** Creates the bus of a single process. */
export function memoryLiveBus(onError: OnBusError): LiveBus {
  const listeners = new Set<{ onMessage: (message: BusMessage) => void }>();
  const notifyAll = (message: BusMessage) => {
    for (const { onMessage } of listeners) {
      try {
        onMessage(message);
      } catch (error) {
        onError(error);
      }
    }
  };
  return {
    shared: false,
    isReceiving: () => true,
    publish: async (message) => notifyAll(message),
    publishInTransaction: async (_tx, message) => () => notifyAll(message),
    subscribe(listener) {
      // A separate object per subscription: the same function may subscribe twice.
      const subscription = { onMessage: listener };
      listeners.add(subscription);
      return () => void listeners.delete(subscription);
    },
    async close() {
      listeners.clear();
    },
  };
}
