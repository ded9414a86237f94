import type { ServerResponse } from 'node:http';
import type { AdminActor } from '../auth/actor.ts';
import type { Deps } from '../deps.ts';
import { batchChanges } from './admin-news.ts';
import { type EventStream, openEventStream } from './event-stream.ts';
import { createStreams } from './streams.ts';

/** Interval of the session checks in ms; equals the ping interval of the streams. */
const CHECK_MS = 15_000;

/** Event streams of the administrator's pages on this node. */
export type AdminChannel = {
  isFull(): boolean;
  /** Returns the number of open streams. */
  count(): number;
  /** Opens a stream for the administrator signed in by `headers`. */
  open(actor: AdminActor, headers: Headers, outgoing: ServerResponse): void;
  close(): void;
};

/** Sends changes to all open pages. A stream grants nothing: its session is checked at each ping and at each sign-out. */
export function createAdminChannel(deps: Pick<Deps, 'auth' | 'env' | 'live' | 'log'>): AdminChannel {
  const streams = createStreams();
  const open = new Map<EventStream, Headers>();
  const batcher = batchChanges((message) => {
    for (const stream of open.keys()) stream.send(message);
  });
  const check = async () => {
    await Promise.all([...open].map(([stream, headers]) => endIfSignedOut(deps, stream, headers)));
  };
  const timer = setInterval(() => void check(), CHECK_MS).unref();
  const unsubscribe = deps.live.subscribe((message) => {
    if (message.type === 'signed_out') void check();
    else batcher.onMessage(message);
  });

  return {
    isFull: streams.isFull,
    count: streams.count,
    open({ user_id }, headers, outgoing) {
      const stream = openEventStream(outgoing, deps.env);
      const remove = streams.add(user_id, stream);
      open.set(stream, new Headers({ cookie: headers.get('cookie') ?? '' }));
      outgoing.once('close', () => {
        remove();
        open.delete(stream);
      });
    },
    close() {
      clearInterval(timer);
      unsubscribe();
      batcher.close();
      streams.close();
    },
  };
}

async function endIfSignedOut(
  { auth, log }: Pick<Deps, 'auth' | 'log'>,
  stream: EventStream,
  headers: Headers,
): Promise<void> {
  try {
    if ((await auth.readSession(headers, { quietly: true })) === null) stream.end();
  } catch (error) {
    log.warn({ err: error }, 'the session of a live stream could not be read');
  }
}
