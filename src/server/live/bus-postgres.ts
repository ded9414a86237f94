import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { LiveTopic } from '../../contract/admin/live.ts';
import type { BusMessage, LiveBus } from './bus.ts';
import { listen } from './bus-listener.ts';
import { memoryLiveBus, type OnBusError } from './bus-memory.ts';

const CHANNEL = 'sorpresa_live';

type Options = { pool: pg.Pool; connectionString: string; onError: OnBusError };

/** While one piece of news is on its way, what changes next is gathered into a single one: heartbeats come by the hundred. */
function gathered(tell: (topics: LiveTopic[]) => Promise<void>): (topics: LiveTopic[]) => Promise<void> {
  const waiting = new Set<LiveTopic>();
  let told = Promise.resolve();
  return (topics) => {
    const isFirst = waiting.size === 0;
    for (const topic of topics) waiting.add(topic);
    if (isFirst)
      told = told.then(() => {
        const all = [...waiting];
        waiting.clear();
        return tell(all);
      });
    return told;
  };
}

/**
 * The bus of several nodes on one PostgreSQL (LISTEN/NOTIFY). This node's own subscribers hear without the database; when the other nodes
 * can't be told, they are told to re-read as soon as they can. Rejects if the database can't be reached at the start.
 */
export async function postgresLiveBus({ pool, connectionString, onError }: Options): Promise<LiveBus> {
  const self = randomUUID();
  const here = memoryLiveBus(onError);
  let untold = false;

  async function tellOthers(message: BusMessage): Promise<void> {
    try {
      const payloads = toPayloads(self, untold ? { type: 'resync' } : message);
      await pool.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
        CHANNEL,
        payloads,
      ]);
      untold = false;
    } catch (error) {
      untold = true;
      onError(error);
    }
  }

  const tellChanged = gathered((topics) => tellOthers({ type: 'changed', topics }));
  const catchUp = () => {
    if (untold) void tellOthers({ type: 'resync' });
  };
  const stop = await listen({
    connectionString,
    channel: CHANNEL,
    onError,
    onPayload: (payload) => {
      const message = fromPayload(self, payload);
      if (message) void here.publish(message);
    },
    onGap: () => {
      void here.publish({ type: 'resync' });
      catchUp();
    },
    onAlive: catchUp,
  });

  return {
    async publish(message) {
      await here.publish(message);
      await (message.type === 'changed' ? tellChanged(message.topics) : tellOthers(message));
    },
    subscribe: here.subscribe,
    async close() {
      await stop();
      await here.close();
    },
  };
}

/** PostgreSQL refuses payloads of 8,000 bytes or more. */
const MAX_BYTES = 7_900;

type Envelope = { from: string; message: BusMessage };

/** The message as payloads that fit: a long list of sessions becomes several shorter ones. */
function toPayloads(from: string, message: BusMessage): string[] {
  const payload = JSON.stringify({ from, message } satisfies Envelope);
  if (Buffer.byteLength(payload) <= MAX_BYTES) return [payload];
  if (message.type !== 'disconnected' || message.session_ids.length < 2) {
    throw new RangeError(`A message of type ${message.type} is too long for one notification`);
  }
  const half = Math.ceil(message.session_ids.length / 2);
  return [message.session_ids.slice(0, half), message.session_ids.slice(half)].flatMap((session_ids) =>
    toPayloads(from, { ...message, session_ids }),
  );
}

/** The message of a payload, or null when it is this node's own. */
function fromPayload(self: string, payload: string): BusMessage | null {
  const { from, message } = JSON.parse(payload) as Envelope;
  return from === self ? null : message;
}
