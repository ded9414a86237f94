import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { entryAt } from './entry.ts';
import { agentFor, ask, quantile } from './load.ts';
import { memoryOf, processorOf, type ServerUnderTest } from './servers.ts';
import type { Figures, Measure } from './suite.ts';

/** Concurrent requests while visitors connect; the measurement starts after that. */
const CONCURRENCY = 64;

/** Time limit in ms for connecting and receiving; up to ten thousand visitors connect. */
const TIMEOUT_MS = 240_000;

/**
 * Measures visitors with an open stream, spread over the nodes: the time until each has received the revocation of the
 * code.
 */
export const revocation = (visitors: number, code: number): Measure => ({
  title: `Revoked → told, ${visitors} connected`,
  timeoutMs: TIMEOUT_MS,
  measure: (to) => inCrowd((crowd) => revoke(to, { visitors, code }, crowd)),
});

/** Measures the same with additional clients of the code that opened a stream and never read from it. */
export const revocationWithUnreadStreams = (visitors: number, deaf: number, code: number): Measure => ({
  title: `Revoked → told, ${visitors} connected beside ${deaf} that never read`,
  timeoutMs: TIMEOUT_MS,
  measure: (to) =>
    inCrowd(async (crowd) => {
      const before = memoryOf(to);
      await gather(deaf, async (n) => {
        crowd.closing.push(await openUnreadStream(await enterVisitor(to, { n, code }, crowd)));
      });
      const each = ((memoryOf(to) - before) * 1_024) / deaf;
      return { ...(await revoke(to, { visitors, code }, crowd)), 'kB for each that never reads': each };
    }),
});

type Crowd = { streams: Agent; agent: Agent; closing: (() => void)[] };

/** Runs `work` and closes all its connections at the end. */
async function inCrowd<T>(work: (crowd: Crowd) => Promise<T>): Promise<T> {
  const streams = new Agent({ keepAlive: false, maxSockets: Infinity });
  const crowd: Crowd = { streams, agent: agentFor(CONCURRENCY), closing: [] };
  try {
    return await work(crowd);
  } finally {
    for (const close of crowd.closing) close();
    crowd.agent.destroy();
    streams.destroy();
  }
}

async function revoke(
  to: ServerUnderTest,
  { visitors, code }: { visitors: number; code: number },
  crowd: Crowd,
): Promise<Figures> {
  const told: Promise<number>[] = [];
  await gather(visitors, async (n) => {
    const listening = await listen(await enterVisitor(to, { n, code }, crowd), crowd.streams);
    crowd.closing.push(listening.close);
    told.push(listening.told);
  });
  const memory = memoryOf(to);
  const before = processorOf(to);
  const began = performance.now();
  await ask(to.urls[0], revocationRequest(to, code), crowd.agent);
  const times = (await Promise.all(told)).map((at) => at - began);
  const cpu = (processorOf(to) - before) / 1_000;
  return {
    'p50 ms': quantile(times, 0.5),
    'p99 ms': quantile(times, 0.99),
    'CPU ms in all': cpu,
    'MB with all of them inside': memory,
  };
}

type Inside = { url: string; cookie: string };

/** Enters, if the server has entries; returns the address of the stream. */
async function enterVisitor(
  to: ServerUnderTest,
  { n, code }: { n: number; code: number },
  { agent }: Crowd,
): Promise<Inside> {
  const url = to.urls[n % to.urls.length] ?? to.urls[0];
  if (to.evening === null) return { url: `${url}/events`, cookie: '' };
  const { cookie } = await ask(url, entryAt(to, code)(), agent);
  return { url: `${url}/api/visit/events`, cookie };
}

async function gather(count: number, come: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < count) await come(next++);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, one));
}

function revocationRequest({ evening }: ServerUnderTest, code: number) {
  if (evening === null) return { method: 'POST', path: '/tell', body: {} };
  const id = evening.codes[code]?.id ?? '';
  return {
    method: 'PATCH',
    path: `/api/admin/tokens/${id}`,
    headers: { cookie: evening.admin },
    body: { attivo: false },
  };
}

type Listening = { told: Promise<number>; close: () => void };

/** Resolves once the stream is open; `told` resolves with the time of the disconnection message. */
function listen({ url, cookie }: Inside, agent: Agent): Promise<Listening> {
  const { promise: told, resolve: onDisconnected } = Promise.withResolvers<number>();
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { cookie } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`A stream was answered with ${answer.statusCode}`));
      answer.on('error', () => undefined);
      answer.on('data', (chunk: Buffer) => {
        if (chunk.includes('event: disconnected')) onDisconnected(performance.now());
        resolve({ told, close: () => sent.destroy() });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

/**
 * Opens a stream without reading it, so that its socket buffer fills. Resolves at its first bytes; returns a function
 * that closes it.
 */
async function openUnreadStream({ url, cookie }: Inside): Promise<() => void> {
  const { hostname, port, pathname, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`);
  await once(socket, 'readable');
  return () => void socket.destroy();
}
