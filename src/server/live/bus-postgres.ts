import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { LiveTopic } from '../../contract/admin/live.ts';
import type { Connections } from '../db/postgres.ts';
import type { BusMessage, LiveBus } from './bus.ts';
import { listenForNotifications } from './bus-listener.ts';
import { memoryLiveBus, type OnBusError } from './bus-memory.ts';
import { notifyIn } from './live.repo.ts';

const CHANNEL = 'sorpresa_live';

/** How old this node's last own word may be, in ms, before it says another to hear itself, and before it counts as deaf. */
const WORD = 4_000;
const DEAF = 10_000;
/** How long a start waits to hear itself, in ms. */
const FIRST_WORD = 1_000;

/** `address`: where to listen, if not where it is said. A pooler that lends a connection for one transaction only doesn't bring what is said later. */
type Options = { pool: Connections; address?: string | undefined; onError: OnBusError };

/** What this node says on the bus isn't heard by it: it hears nothing of the other nodes either. */
export class LiveBusNotReceiving extends Error {
  override name = 'LiveBusNotReceiving';
  constructor() {
    super(
      'This node does not hear what it says itself by NOTIFY: no revocation of another node reaches it at once. Where a pooler stands before PostgreSQL, DATABASE_DIRECT_URL must lead past it; it must name the same database.',
    );
  }
}

/** While one piece of news is on its way, what changes next is gathered into a single one: heartbeats come by the hundred. */
function batchTopics(tell: (topics: LiveTopic[]) => Promise<void>): (topics: LiveTopic[]) => Promise<void> {
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

/** When this node last heard itself. */
function createSelfCheck(onError: OnBusError) {
  let last = -Infinity;
  let saidDeaf = false;
  const first = Promise.withResolvers<void>();
  const silentFor = () => performance.now() - last;
  const hears = () => silentFor() <= DEAF;
  return {
    hears,
    isOld: () => silentFor() > WORD,
    heard() {
      last = performance.now();
      first.resolve();
    },
    /** Resolves when it was heard for the first time, or should have been by now. */
    first: () => Promise.race([first.promise, delay(FIRST_WORD, undefined, { ref: false })]),
    /** Says once that nothing is heard. */
    notice() {
      if (!hears() && !saidDeaf) onError(new LiveBusNotReceiving());
      saidDeaf = !hears();
    },
  };
}

/** Tells the other nodes. When they can't be told, this node is behind until they have been told to re-read. */
function createPublisher(self: string, { pool, onError }: Options) {
  let behind = false;
  async function others(message: BusMessage): Promise<void> {
    try {
      await sendPayloads(pool, toPayloads(self, behind ? { type: 'resync' } : message));
      behind = false;
    } catch (error) {
      behind = true;
      onError(error);
    }
  }
  const changed = batchTopics((topics) => others({ type: 'changed', topics }));
  return {
    isBehind: () => behind,
    tell: (message: BusMessage) => (message.type === 'changed' ? changed(message.topics) : others(message)),
  };
}

/**
 * The bus of several nodes on one PostgreSQL (LISTEN/NOTIFY). This node's own subscribers hear without the database; when the other nodes
 * can't be told, they are told to re-read as soon as they can. Whether it hears the others it knows by hearing itself, by the way that messages
 * go: said through the pool, heard where it listens. Rejects if the database can't be reached at the start.
 */
export async function postgresLiveBus(options: Options): Promise<LiveBus> {
  const { pool, address = pool.address, onError } = options;
  const self = randomUUID();
  const here = memoryLiveBus(onError);
  const own = createSelfCheck(onError);
  const { isBehind, tell } = createPublisher(self, options);
  const catchUp = () => {
    if (isBehind()) void tell({ type: 'resync' });
    else if (own.isOld())
      sendPayloads(pool, [JSON.stringify({ from: self } satisfies Envelope)]).catch(onError);
  };
  const stop = await listenForNotifications({
    address,
    channel: CHANNEL,
    onError,
    onPayload: (payload) => {
      const { from, message } = JSON.parse(payload) as Envelope;
      if (from === self) own.heard();
      else if (message) void here.publish(message);
    },
    onGap: () => {
      void here.publish({ type: 'resync' });
      catchUp();
    },
    onAlive: () => {
      own.notice();
      catchUp();
    },
  });
  catchUp();
  await own.first();
  own.notice();

  return {
    shared: true,
    isReceiving: own.hears,
    async publish(message) {
      await here.publish(message);
      await tell(message);
    },
    async publishInTransaction(tx, message) {
      await notifyIn(tx, CHANNEL, toPayloads(self, message));
      return () => void here.publish(message);
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

/** Without a message it is said to be heard by who says it. */
type Envelope = { from: string; message?: BusMessage };

async function sendPayloads(pool: Connections, payloads: readonly string[]): Promise<void> {
  await pool.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [CHANNEL, payloads]);
}

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
