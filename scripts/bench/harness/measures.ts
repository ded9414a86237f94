import { rawClient } from './bare-asker.ts';
import { entryAt } from './entry.ts';
import { agentFor, ask, inParallel, type LoadRequest, quantile, type Times } from './load.ts';
import { FILM_BYTES, processorOf, type ServerUnderTest } from './servers.ts';
import type { Figures, Measure } from './suite.ts';

const MIB = 1024 ** 2;

/** Measures entries with this concurrency. */
export const entries = (requests: number, atOnce: number): Measure => ({
  title: `Entries, ${atOnce} at once`,
  measure: async (to) => {
    const before = await usesOf(to);
    const how = { count: atOnce === 1 ? requests / 4 : requests, atOnce };
    const { done, figures } = await rateOf(to, how, entryAt(to));
    const after = await usesOf(to);
    if (before !== null && after !== before + done)
      throw new Error(`${done} came in, and the code counts ${(after ?? 0) - before} of them`);
    return figures;
  },
});

/** Measures the resume of a visit, and a heartbeat without changes. */
export const visits = (requests: number, atOnce: number): Measure[] => [
  {
    title: `Resume with the content, ${atOnce} at once`,
    measure: async (to) =>
      rate(to, { count: requests, atOnce }, await visitCall(to, '/api/visit/resume', '/row')),
  },
  {
    title: `A heartbeat that is not due, ${atOnce} at once`,
    measure: async (to) =>
      rate(to, { count: requests, atOnce }, await visitCall(to, '/api/visit/heartbeat', '/hello')),
  },
];

export const ranges = (count: number, atOnce: number): Measure => ({
  title: `1 MiB ranges of a film of 100 MiB, ${atOnce} at once`,
  measure: (to) => filmRanges(to, { count, atOnce }),
});

export const newcomers = (count: number): Measure => ({
  title: "A newcomer's page while 64 enter",
  measure: (to) => newcomer(to, count),
});

/** Sends entries that are not measured, because a process's first requests include compiling its code. */
export async function warmUp(to: ServerUnderTest, count: number): Promise<void> {
  await inParallel(to.urls, { count, atOnce: 32 }, entryAt(to));
}

/** Returns a visitor's call, or its equivalent on a baseline. */
async function visitCall(to: ServerUnderTest, path: string, floorPath: string): Promise<() => LoadRequest> {
  if (to.evening === null) return () => ({ method: 'GET', path: floorPath });
  const headers = { cookie: await enter(to) };
  return () => ({ method: 'POST', path, headers, body: {} });
}

/** Enters; returns the visitor's cookie. */
async function enter(to: ServerUnderTest): Promise<string> {
  const agent = agentFor(1);
  const { status, cookie } = await ask(to.urls[0], entryAt(to)(), agent);
  agent.destroy();
  if (status !== 200) throw new Error(`An entry was answered with ${status}`);
  return cookie;
}

/** Measures the rate, the latencies and the processor cost per request. */
export async function rate(
  to: ServerUnderTest,
  how: { count: number; atOnce: number },
  make: () => LoadRequest,
): Promise<Figures> {
  return (await rateOf(to, how, make)).figures;
}

/** Measures the rate, and returns the number of requests. */
async function rateOf(
  to: ServerUnderTest,
  how: { count: number; atOnce: number },
  make: () => LoadRequest,
): Promise<{ done: number; figures: Figures }> {
  const before = processorOf(to);
  const { seconds, times } = await inParallel(to.urls, how, make);
  const done = times.length;
  const figures = {
    '/s': done / seconds,
    ...spread(times),
    'CPU µs': (processorOf(to) - before) / done,
  };
  return { done, figures };
}

/** Returns the number of uses of the first code; null for a baseline, which does not report it. */
async function usesOf({ urls, evening }: ServerUnderTest): Promise<number | null> {
  if (evening === null) return null;
  const agent = agentFor(1);
  const loadRequest = { method: 'GET', path: '/api/admin/tokens', headers: { cookie: evening.admin } };
  const { text } = await ask(urls[0], loadRequest, agent, { keep: true });
  agent.destroy();
  const codes: { id: string; accessi_usati: number }[] = JSON.parse(text);
  return codes.find(({ id }) => id === evening.codes[0]?.id)?.accessi_usati ?? Number.NaN;
}

const spread = (times: Times['times']) => ({
  'p50 ms': quantile(times, 0.5),
  'p99 ms': quantile(times, 0.99),
});

async function filmRanges(to: ServerUnderTest, how: { count: number; atOnce: number }): Promise<Figures> {
  const path = to.evening?.film ?? '/film';
  const headers: Record<string, string> = to.evening === null ? {} : { cookie: await enter(to) };
  const before = processorOf(to);
  const ask = (n: number) => {
    const start = (n * MIB) % FILM_BYTES;
    return { method: 'GET', path, headers: { ...headers, range: `bytes=${start}-${start + MIB - 1}` } };
  };
  const { seconds, times, bytes } = await inParallel(to.urls, how, ask, rawClient());
  if (bytes !== times.length * MIB) throw new Error(`${bytes} bytes came instead of ${times.length} MiB`);
  return {
    'MB/s': bytes / 1e6 / seconds,
    ...spread(times),
    'CPU µs': (processorOf(to) - before) / times.length,
  };
}

async function newcomer(to: ServerUnderTest, count: number): Promise<Figures> {
  const path = to.evening === null ? '/hello' : '/';
  let done = false;
  const crowd = (async () => {
    while (!done) await inParallel(to.urls, { count: 256, atOnce: 64 }, entryAt(to));
  })();
  try {
    const { times } = await inParallel(to.urls, { count, atOnce: 1 }, () => ({ method: 'GET', path }));
    return spread(times);
  } finally {
    done = true;
    await crowd;
  }
}
