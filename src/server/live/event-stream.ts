import type { ServerResponse } from 'node:http';
import type { AdminLiveMessage } from '../../contract/admin/live.ts';
import type { LiveMessage } from '../../contract/visit.ts';
import type { Env } from '../env.ts';

/** Bytes that may wait for a client that doesn't read; beyond, it is cut off. */
export const MAX_WAITING = 64 * 1024;
/** The browser's wait before it opens a lost stream again, in ms; where each ends with its first message it is the next one. */
const RETRY_MS = 3_000;
const NEXT_MS = 300;

/** One open stream of server-sent events. */
export type EventStream = {
  /** When it was opened, by the clock that never jumps, in ms. */
  readonly opened: number;
  send(message: LiveMessage | AdminLiveMessage): void;
  /** Says goodbye and ends; `retryMs` is when the browser may come back. */
  end(retryMs?: number): void;
};

/**
 * Starts the stream: its first bytes leave at once, so that nothing on the way waits for more. Cloudflare's quick tunnels hold a stream back until it
 * has ended (cloudflare/cloudflared#1449): through one it ends after its first message or the next ping, and the browser opens another.
 */
export function openEventStream(outgoing: ServerResponse, { tunnel }: Pick<Env, 'tunnel'>): EventStream {
  const isHeld = tunnel === 'cloudflare';
  let id = 0;
  const write = (text: string) => {
    if (outgoing.destroyed || outgoing.writableEnded) return;
    outgoing.write(text);
    if (outgoing.writableLength > MAX_WAITING) outgoing.destroy();
  };
  const send = (message: LiveMessage | AdminLiveMessage) => {
    id += 1;
    write(`event: ${message.type}\nid: ${id}\ndata: ${JSON.stringify(message)}\n\n`);
    if (isHeld && id > 1) outgoing.end();
  };
  outgoing.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache, no-transform',
    'X-Accel-Buffering': 'no',
  });
  write(`retry: ${isHeld ? NEXT_MS : RETRY_MS}\n\n`);
  send({ type: 'ping' });
  return {
    opened: performance.now(),
    send,
    end(retryMs = RETRY_MS) {
      write(`retry: ${retryMs}\n`);
      send({ type: 'bye' });
      outgoing.end();
    },
  };
}
