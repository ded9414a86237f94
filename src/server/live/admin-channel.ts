import type { ServerResponse } from 'node:http';
import { type AdminLiveMessage, LIVE_TOPICS, type LiveTopic } from '../../contract/admin/dashboard.ts';
import type { AdminActor } from '../auth/actor.ts';
import type { Deps } from '../deps.ts';
import { startInterval } from '../work/timers.ts';
import type { BusMessage } from './bus.ts';
import { createStreams, type EventStream, openEventStream } from './streams.ts';

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
  const warn = (error: unknown) =>
    deps.log.warn({ err: error }, 'the session of a live stream could not be read');
  const endIfSignedOut = async ([stream, headers]: [EventStream, Headers]) => {
    if ((await deps.auth.readSession(headers, { quietly: true })) === null) stream.end();
  };
  const checks = startInterval(
    CHECK_MS,
    () => Promise.all([...open].map((each) => endIfSignedOut(each).catch(warn))),
    warn,
  );
  const unsubscribe = deps.live.subscribe((message) => {
    if (message.type === 'signed_out') checks.now();
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
      void checks.stop();
      unsubscribe();
      batcher.close();
      streams.close();
    },
  };
}

type ChangeMessage = Extract<AdminLiveMessage, { type: 'changed' | 'resync' }>;

/** The first change is sent at once, further ones at most once in this time, in ms: the heartbeats of many visits become one message. */
const INTERVAL_MS = 1_000;

export type ChangeBatcher = {
  onMessage(message: BusMessage): void;
  /** Discards unsent changes. */
  close(): void;
};

/** Merges the many messages of the bus into few for the administrator's pages. */
export function batchChanges(send: (change: ChangeMessage) => void): ChangeBatcher {
  const changed = new Set<LiveTopic>();
  let resync = false;
  let lastSentAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  const sendAll = () => {
    timer = undefined;
    lastSentAt = performance.now();
    const topics = LIVE_TOPICS.filter((topic) => changed.has(topic));
    send(resync ? { type: 'resync' } : { type: 'changed', topics });
    changed.clear();
    resync = false;
  };
  return {
    onMessage(message) {
      if (message.type === 'resync') resync = true;
      else if (message.type === 'changed') for (const topic of message.topics) changed.add(topic);
      else return;
      if (timer !== undefined) return;
      const wait = lastSentAt + INTERVAL_MS - performance.now();
      if (wait <= 0) sendAll();
      else timer = setTimeout(sendAll, wait).unref();
    },
    close: () => clearTimeout(timer),
  };
}
