import { randomInt } from 'node:crypto';
import { MINUTE_MS } from '../../domain/limits.ts';
import { availableMemory, maxStreams } from '../capacity.ts';
import type { EventStream } from './event-stream.ts';

const MAX_PER_SESSION = 5;
const PING_MS = 15_000;
const MAX_AGE_MS = 30 * MINUTE_MS;

/** Event streams of this node. */
export type Streams = {
  /** Returns true if no further stream can be opened. */
  isFull(): boolean;
  /** Returns the number of open streams. */
  count(): number;
  /** Adds a stream; a session's sixth ends its oldest. Returns a function that removes it. */
  add(session_id: string, stream: EventStream): () => void;
  /** Ends all streams; browsers reconnect after one to five seconds, spread out. */
  close(): void;
};

/** Pings every stream and ends old ones: a new stream proves that a client is there. */
export function createStreams(maxOpen = maxStreams(availableMemory())): Streams {
  const open = new Map<string, Set<EventStream>>();
  let count = 0;
  const all = () => [...open.values()].flatMap((streams) => [...streams]);
  const timer = setInterval(() => {
    for (const stream of all()) {
      if (performance.now() - stream.opened > MAX_AGE_MS) stream.end(reconnectDelayMs());
      else stream.send({ type: 'ping' });
    }
  }, PING_MS);
  timer.unref();

  return {
    isFull: () => count >= maxOpen,
    count: () => count,
    add(session_id, stream) {
      const streams = open.get(session_id) ?? new Set();
      open.set(session_id, streams);
      const [oldest] = streams;
      if (streams.size >= MAX_PER_SESSION && oldest !== undefined) {
        streams.delete(oldest);
        count -= 1;
        oldest.end();
      }
      streams.add(stream);
      count += 1;
      return () => {
        if (streams.delete(stream)) count -= 1;
        if (streams.size === 0 && open.get(session_id) === streams) open.delete(session_id);
      };
    },
    close() {
      clearInterval(timer);
      for (const stream of all()) stream.end(reconnectDelayMs());
    },
  };
}

const reconnectDelayMs = () => randomInt(1_000, 5_001);
