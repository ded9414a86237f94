import { randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { AdminLiveMessage } from '../../contract/admin/dashboard.ts';
import type { LiveMessage } from '../../contract/visit.ts';
import { MINUTE_MS } from '../../domain/limits.ts';
import type { Env } from '../env.ts';
import { maxStreams } from '../http/connection-limit.ts';

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
export function createStreams(maxOpen = maxStreams()): Streams {
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

/** Maximum unsent bytes of a client that doesn't read; beyond, its connection is closed. */
export const MAX_WAITING_BYTES = 64 * 1024;
/** The browser's wait before it reopens a lost stream, in ms; NEXT_MS if each stream ends after its first message. */
const RETRY_MS = 3_000;
const NEXT_MS = 300;

/** An open stream of server-sent events. */
export type EventStream = {
  /** Time when it was opened, in ms of the clock that never jumps. */
  readonly opened: number;
  send(message: LiveMessage | AdminLiveMessage): void;
  /** Sends `last` and a final message, and ends; the browser reconnects after `retryMs`. */
  end(retryMs?: number, last?: LiveMessage): void;
};

/**
 * Starts the stream; its first bytes are sent at once, so that proxies don't buffer the head. Cloudflare's quick tunnels hold a stream back
 * until it ends (cloudflare/cloudflared#1449): through one, it ends after its first message or the next ping, and the browser opens
 * another.
 */
export function openEventStream(outgoing: ServerResponse, { tunnel }: Pick<Env, 'tunnel'>): EventStream {
  const isBuffered = tunnel === 'cloudflare';
  let id = 0;
  const write = (text: string, isLast = false) => {
    if (outgoing.destroyed || outgoing.writableEnded) return;
    if (isLast) outgoing.end(text);
    else outgoing.write(text);
    if (outgoing.writableLength > MAX_WAITING_BYTES) outgoing.destroy();
  };
  const format = (message: LiveMessage | AdminLiveMessage) => {
    id += 1;
    return `event: ${message.type}\nid: ${id}\ndata: ${JSON.stringify(message)}\n\n`;
  };
  outgoing.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  });
  write(`retry: ${isBuffered ? NEXT_MS : RETRY_MS}\n\n${format({ type: 'ping' })}`);
  return {
    opened: performance.now(),
    send: (message) => write(format(message), isBuffered),
    // One write: a revoked code ends a thousand streams at once.
    end: (retryMs = RETRY_MS, last) =>
      write(`${last === undefined ? '' : format(last)}retry: ${retryMs}\n${format({ type: 'bye' })}`, true),
  };
}
