import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { LiveTopic } from '../../contract/admin/dashboard.ts';
import type { Connections } from '../db/postgres.ts';
import { type BusMessage, type LiveBus, memoryLiveBus, type OnBusError } from './bus.ts';
import { notifyIn } from './live.repo.ts';

const CHANNEL = 'sorpresa_live';

/** Age of this node's last received own message, in ms: at which it sends another one, and at which it counts as not receiving. */
const SELF_MESSAGE_MS = 4_000;
const NOT_RECEIVING_MS = 10_000;
/** Maximum wait for the first own message at startup, in ms. */
const STARTUP_WAIT_MS = 1_000;

/** `address`: connection string of the listener, if it differs from the pool's. A transaction pooler doesn't deliver notifications. */
type Options = { pool: Connections; address?: string | undefined; onError: OnBusError };

/** This node doesn't receive its own messages, so it doesn't receive those of other nodes either. */
export class LiveBusNotReceiving extends Error {
  override name = 'LiveBusNotReceiving';
  constructor() {
    super(
      'This node does not hear what it says itself by NOTIFY: no revocation of another node reaches it at once. Where a pooler stands before PostgreSQL, DATABASE_DIRECT_URL must lead past it; it must name the same database.',
    );
  }
}

/** Merges the topics that change while a message is being sent: heartbeats come by the hundred. */
function batchTopics(send: (topics: LiveTopic[]) => Promise<void>): (topics: LiveTopic[]) => Promise<void> {
  const waiting = new Set<LiveTopic>();
  let sending = Promise.resolve();
  return (topics) => {
    const isFirst = waiting.size === 0;
    for (const topic of topics) waiting.add(topic);
    if (isFirst)
      sending = sending.then(() => {
        const all = [...waiting];
        waiting.clear();
        return send(all);
      });
    return sending;
  };
}

/** Tracks when this node last received its own message. */
function createSelfCheck(onError: OnBusError) {
  let last = -Infinity;
  let isReported = false;
  const first = Promise.withResolvers<void>();
  const silentFor = () => performance.now() - last;
  const isHearing = () => silentFor() <= NOT_RECEIVING_MS;
  return {
    hears: isHearing,
    isOld: () => silentFor() > SELF_MESSAGE_MS,
    heard() {
      last = performance.now();
      first.resolve();
    },
    /** Resolves at the first own message or after the time for it. */
    first: () => Promise.race([first.promise, delay(STARTUP_WAIT_MS, undefined, { ref: false })]),
    /** Reports once that nothing is received. */
    notice() {
      if (!isHearing() && !isReported) onError(new LiveBusNotReceiving());
      isReported = !isHearing();
    },
  };
}

/** Sends messages to the other nodes. After a failure, they receive a `resync` as soon as possible. */
function createPublisher(self: string, { pool, onError }: Options) {
  let behind = false;
  async function sendToOthers(message: BusMessage): Promise<void> {
    try {
      await sendPayloads(pool, toPayloads(self, behind ? { type: 'resync' } : message));
      behind = false;
    } catch (error) {
      behind = true;
      onError(error);
    }
  }
  const changed = batchTopics((topics) => sendToOthers({ type: 'changed', topics }));
  return {
    isBehind: () => behind,
    tell: (message: BusMessage) =>
      message.type === 'changed' ? changed(message.topics) : sendToOthers(message),
  };
}

/**
 * Creates the bus of several nodes on one PostgreSQL (LISTEN/NOTIFY). Local subscribers don't depend on the database. To check that it
 * receives messages, the node sends some to itself on the same way: through the pool to the listener. Rejects if the database is
 * unavailable at startup.
 */
export async function postgresLiveBus(options: Options): Promise<LiveBus> {
  const { pool, address = pool.address, onError } = options;
  const self = randomUUID();
  const local = memoryLiveBus(onError);
  const selfCheck = createSelfCheck(onError);
  const { isBehind, tell: send } = createPublisher(self, options);
  const catchUp = () => {
    if (isBehind()) void send({ type: 'resync' });
    else if (selfCheck.isOld())
      sendPayloads(pool, [JSON.stringify({ from: self } satisfies Envelope)]).catch(onError);
  };
  const stop = await listenForNotifications({
    address,
    channel: CHANNEL,
    onError,
    onPayload: (payload) => {
      const { from, message } = JSON.parse(payload) as Envelope;
      if (from === self) selfCheck.heard();
      else if (message) void local.publish(message);
    },
    onGap: () => {
      void local.publish({ type: 'resync' });
      catchUp();
    },
    onAlive: () => {
      selfCheck.notice();
      catchUp();
    },
  });
  catchUp();
  await selfCheck.first();
  selfCheck.notice();

  return {
    shared: true,
    isReceiving: selfCheck.hears,
    async publish(message) {
      await local.publish(message);
      await send(message);
    },
    async publishInTransaction(tx, message) {
      await notifyIn(tx, { channel: CHANNEL, payloads: toPayloads(self, message) });
      return () => void local.publish(message);
    },
    subscribe: local.subscribe,
    async close() {
      await stop();
      await local.close();
    },
  };
}

/** PostgreSQL rejects payloads of 8,000 bytes or more. */
const MAX_BYTES = 7_900;

/** Without `message`, only the sender's self-check uses it. */
type Envelope = { from: string; message?: BusMessage };

async function sendPayloads(pool: Connections, payloads: readonly string[]): Promise<void> {
  await pool.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [CHANNEL, payloads]);
}

/** Splits a message into payloads that fit: a long list of sessions becomes several shorter ones. */
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

/**
 * All in ms. A silently cut connection is detected after PING + ANSWER, a reconnection attempt ends after ANSWER: about
 * 4 s in all.
 */
const PING_MS = 2_000;
const ANSWER_TIMEOUT_MS = 2_000;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 1_000;

export type ListenerOptions = {
  address: string;
  channel: string;
  onPayload: (payload: string) => void;
  /** Messages may have been lost. Called when the connection is lost, after each failed reconnection and when it is back. */
  onGap: () => void;
  /** Called every few seconds while the connection answers. */
  onAlive: () => void;
  onError: (error: unknown) => void;
};

/** Opens a connection that only listens. Resolves once it listens; reconnects automatically. Returns a function that ends it. */
export async function listenForNotifications(options: ListenerOptions): Promise<() => Promise<void>> {
  const ending = new AbortController();
  const first = await connect(options);
  const listening = keepListening(first, options, ending.signal);
  return async () => {
    ending.abort();
    await listening;
  };
}

/** `lost` is aborted when the connection ends unexpectedly. */
type Connection = { client: Client; lost: AbortSignal };

async function connect({ address, channel, onPayload, onError }: ListenerOptions): Promise<Connection> {
  const client = new Client({
    connectionString: address,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'sorpresa-live',
  });
  const losing = new AbortController();
  client.once('end', () => losing.abort());
  client.on('error', onError);
  client.on('notification', ({ payload }) => onPayload(payload ?? ''));
  try {
    await client.connect();
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    return { client, lost: losing.signal };
  } catch (error) {
    await closeClient(client);
    throw error;
  }
}

async function keepListening(
  first: Connection,
  options: ListenerOptions,
  ending: AbortSignal,
): Promise<void> {
  let connection: Connection | null = first;
  while (connection) {
    await untilLost(connection, options, ending);
    if (!ending.aborted) options.onGap();
    await closeClient(connection.client);
    connection = await reconnect(options, ending);
    if (connection) options.onGap();
  }
}

/** Resolves when the connection is lost, doesn't answer or is being closed. */
async function untilLost(
  { client, lost }: Connection,
  options: ListenerOptions,
  ending: AbortSignal,
): Promise<void> {
  const ended = AbortSignal.any([lost, ending]);
  for (;;) {
    await pause(PING_MS, ended);
    if (ended.aborted) return;
    try {
      await client.query('select 1');
    } catch (error) {
      options.onError(error);
      return;
    }
    options.onAlive();
  }
}

async function reconnect(options: ListenerOptions, ending: AbortSignal): Promise<Connection | null> {
  for (let wait = FIRST_RETRY_MS; !ending.aborted; wait = Math.min(wait * 2, MAX_RETRY_MS)) {
    await pause(wait * (0.5 + Math.random() / 2), ending);
    if (ending.aborted) break;
    try {
      return await connect(options);
    } catch (error) {
      options.onError(error);
      options.onGap();
    }
  }
  return null;
}

/** Closes the connection without waiting for a server that may be unreachable. */
async function closeClient(client: Client): Promise<void> {
  const socket = client.connection.stream;
  await Promise.race([client.end().catch(() => undefined), delay(200, undefined, { ref: false })]);
  socket.destroy();
}

/** Waits `ms`, or until the signal is aborted. */
async function pause(ms: number, until: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: until }).catch(() => undefined);
}
