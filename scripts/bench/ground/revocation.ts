import { Agent, request } from 'node:http';
import { type Contender, processorOf } from './contenders.ts';
import { entryAt } from './entry.ts';
import { agentFor, ask, quantile } from './load.ts';
import type { Figures, Measure } from './part.ts';

/** So many ask for something at once while a crowd is gathered: what is measured comes after that. */
const GATHERING = 64;

/** Visitors with an open stream, spread over the nodes, and how long it takes until each of them has heard that their code was revoked. */
export const revocation = (visitors: number, code: number): Measure => ({
  title: `Revoked → told, ${visitors} connected`,
  measure: (to) => revoke(to, visitors, code),
});

async function revoke(to: Contender, visitors: number, code: number): Promise<Figures> {
  const streams = new Agent({ keepAlive: false, maxSockets: Infinity });
  const agent = agentFor(GATHERING);
  const opened: Listening[] = [];
  try {
    await gather(visitors, async (n) => {
      const url = to.urls[n % to.urls.length] ?? to.urls[0];
      const cookie = to.evening === null ? '' : (await ask(url, entryAt(to, code)(), agent)).cookie;
      opened.push(
        await listen(`${url}${to.evening === null ? '/events' : '/api/visit/events'}`, cookie, streams),
      );
    });
    const before = processorOf(to);
    const began = performance.now();
    await ask(to.urls[0], tellOf(to, code), agent);
    const times = (await Promise.all(opened.map(({ told }) => told))).map((at) => at - began);
    const cpu = (processorOf(to) - before) / 1_000;
    return { 'p50 ms': quantile(times, 0.5), 'p99 ms': quantile(times, 0.99), 'CPU ms in all': cpu };
  } finally {
    for (const { close } of opened) close();
    agent.destroy();
    streams.destroy();
  }
}

async function gather(count: number, come: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < count) await come(next++);
  };
  await Promise.all(Array.from({ length: GATHERING }, one));
}

function tellOf({ evening }: Contender, code: number) {
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

/** Resolves once the stream is open; `told` is when the disconnection came. */
function listen(url: string, cookie: string, agent: Agent): Promise<Listening> {
  const { promise: told, resolve: hear } = Promise.withResolvers<number>();
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { cookie } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`A stream was answered with ${answer.statusCode}`));
      answer.on('error', () => undefined);
      answer.on('data', (chunk: Buffer) => {
        if (chunk.includes('event: disconnected')) hear(performance.now());
        resolve({ told, close: () => sent.destroy() });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}
