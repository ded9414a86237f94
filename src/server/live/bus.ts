import type { LiveTopic } from '../../contract/admin/live.ts';
import type { Disconnection } from '../../contract/visit.ts';
import type { Db } from '../db/tables.ts';

/** What the parts of the server (and its other nodes) tell each other. */
export type BusMessage =
  /** Sessions that were closed against their holders' will. */
  | { type: 'disconnected'; session_ids: string[]; disconnection: Disconnection }
  /** What the administrator's pages show of these is old. */
  | { type: 'changed'; topics: LiveTopic[] }
  /** An administrator's session ended before its time. */
  | { type: 'signed_out' }
  /** Messages may have been lost: whoever keeps state from them reads it again from the database. */
  | { type: 'resync' };

/** Fan-out of messages to every node, this one included. What a node misses while it is cut off is made good by a `resync`. */
export type LiveBus = {
  /** There may be other nodes: what one says, another may miss. */
  readonly shared: boolean;
  /** Tells this node's subscribers at once, then the other nodes. Never rejects: what it announces is stored already. */
  publish(message: BusMessage): Promise<void>;
  /**
   * Says it as part of a transaction: the other nodes hear it with the commit, even if this process ends in the same moment, and never if it is
   * undone. Returns what tells this node's own subscribers, to be called after the commit.
   */
  publishInTransaction(tx: Db, message: BusMessage): Promise<() => void>;
  /** Whether this node hears what is said on the bus. */
  isReceiving(): boolean;
  /** Returns the function that ends the subscription. What a listener throws doesn't reach the publisher or the other listeners. */
  subscribe(listener: (message: BusMessage) => void): () => void;
  close(): Promise<void>;
};
