import type { Disconnection } from '../../contract/visit.ts';

/** What the parts of the server (and its other nodes) tell each other. */
export type BusMessage =
  /** Sessions that were closed against their holders' will. */
  | { type: 'disconnected'; session_ids: string[]; disconnection: Disconnection }
  /** Rows of `active_sessions` changed. */
  | { type: 'sessions_changed' };

/** Fan-out of messages to every node. A message may be lost while a node is cut off: state is re-read on reconnection. */
export type LiveBus = {
  publish(message: BusMessage): Promise<void>;
  /** Returns the function that ends the subscription. */
  subscribe(listener: (message: BusMessage) => void): () => void;
  close(): Promise<void>;
};
