import type { Visit } from '../contract/visit.ts';
import type { Position } from '../domain/stage-content.ts';
import type { NetworkEvent } from './events.ts';
import { comparePositions } from './merge-visit.ts';
import type { CallResult } from './ports.ts';
import { backoffMs } from './timings.ts';

export type OutboxPorts = {
  /** `POST /visit/position`. A rejected promise counts as NETWORK. */
  send(position: Position): Promise<CallResult<Visit>>;
  /** Calls back once, after `ms` milliseconds; the returned function cancels it. */
  later(ms: number, callback: () => void): () => void;
  /** A number in [0, 1) for the jitter. */
  random(): number;
  /** Sends the resulting event to the chart. */
  onEvent(event: NetworkEvent): void;
};

export type Outbox = {
  /** Queues a position. It replaces a queued one of the same step; steps keep their order. */
  report(position: Position): void;
  /** Resolves when every position reported before the call was answered or dropped; at once if the queue is empty. */
  whenIdle(): Promise<void>;
  /** Sends a position that waits for its retry now (the network is back, the page is shown). */
  flushNow(): void;
  /** Drops the queue and sends no more events. */
  close(): void;
};

/**
 * Queue of positions for the server: sent one at a time, in order, with jittered backoff (0.5 to 8 s) until answered. A
 * refused step empties the queue and makes the chart resume from the server's position; so does the end of the visit.
 */
export function createOutbox(ports: OutboxPorts): Outbox {
  let queue: Position[] = [];
  let busy = false;
  let closed = false;
  const waiting: (() => void)[] = [];
  const retry = createRetry(ports, () => void flush());

  async function flush(): Promise<void> {
    if (busy || closed) return;
    const position = queue[0];
    if (position === undefined) return settle();
    busy = true;
    const result = await answerTo(position, ports);
    busy = false;
    if (closed) return;
    if (!result.ok && isPassing(result)) return retry.later();
    retry.forget();
    queue = result.ok ? queue.slice(1) : [];
    ports.onEvent(eventOf(result));
    void flush();
  }

  function settle(): void {
    for (const done of waiting.splice(0)) done();
  }

  return {
    report(position) {
      if (closed) return;
      queue = enqueued(queue, position, busy);
      if (!retry.isWaiting()) void flush();
    },
    whenIdle: () =>
      queue.length === 0 || closed ? Promise.resolve() : new Promise((done) => waiting.push(done)),
    flushNow() {
      if (!retry.isWaiting()) return;
      retry.stop();
      void flush();
    },
    close() {
      closed = true;
      retry.stop();
      settle();
    },
  };
}

/** Schedules one retry at a time; the wait grows with each failure since the last reply. */
function createRetry({ later, random }: Pick<OutboxPorts, 'later' | 'random'>, again: () => void) {
  let failures = 0;
  let cancel: (() => void) | null = null;
  return {
    isWaiting: () => cancel !== null,
    later() {
      failures += 1;
      cancel = later(backoffMs(failures, random()), () => {
        cancel = null;
        again();
      });
    },
    stop() {
      cancel?.();
      cancel = null;
    },
    forget() {
      failures = 0;
    },
  };
}

/** Adds a position. The one being sent stays; a queued one of the same step is merged: the further position counts. */
function enqueued(queue: readonly Position[], position: Position, busy: boolean): Position[] {
  const last = queue.at(-1);
  if (last?.step !== position.step || (busy && queue.length === 1)) return [...queue, position];
  return [...queue.slice(0, -1), comparePositions(last, position) > 0 ? last : position];
}

async function answerTo(position: Position, { send }: OutboxPorts): Promise<CallResult<Visit>> {
  try {
    return await send(position);
  } catch {
    return { ok: false, code: 'NETWORK' };
  }
}

type Failed = Extract<CallResult<unknown>, { ok: false }>;

/** Returns true for failures worth a retry: all but the end of the visit and a refused position. */
function isPassing({ code }: Failed): boolean {
  return !['STEP_REFUSED', 'BAD_INPUT', 'DISCONNECTED', 'NO_VISIT', 'VISIT_ENDED'].includes(code);
}

function eventOf(result: CallResult<Visit>): NetworkEvent {
  if (result.ok) return { type: 'CONTENT', visit: result.value };
  const { code, disconnection } = result;
  if (code === 'DISCONNECTED')
    return { type: 'DISCONNECTED', reason: 'token_revoked', contatto: null, ...disconnection };
  return code === 'STEP_REFUSED' || code === 'BAD_INPUT' ? { type: 'RESYNC' } : { type: 'LOAD_FAILED', code };
}
