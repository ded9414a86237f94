import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

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
