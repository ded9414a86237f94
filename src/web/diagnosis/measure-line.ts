import type { Findings } from '../../domain/diagnosis.ts';
import { LONG_FILM_URL, TICKET_URL } from './files.ts';

/** Limits of the speed measurement: the file is loaded repeatedly until either is reached. */
const LIMITS = { ms: 4_000, bytes: 6_000_000 } as const;
const DELAY_SAMPLES = 5;
/** Timeout of a request, in ms. */
const TIMEOUT_MS = 15_000;

/** Measures speed and delay of the connection; `mbit` is 0 if it fails. */
export async function measureConnection(): Promise<Findings> {
  const delays: number[] = [];
  try {
    for (let ask = 0; ask < DELAY_SAMPLES; ask += 1) delays.push(await delay());
    const mbit = await speed();
    // The first request also opens the connection.
    const [, ...later] = delays;
    return { mbit, delay_ms: Math.round(median(later)) };
  } catch {
    return { mbit: 0 };
  }
}

async function delay(): Promise<number> {
  const startedAt = performance.now();
  await ask(TICKET_URL, 'HEAD');
  return performance.now() - startedAt;
}

async function speed(): Promise<number> {
  const startedAt = performance.now();
  let bytes = 0;
  while (bytes < LIMITS.bytes && performance.now() - startedAt < LIMITS.ms)
    bytes += (await (await ask(LONG_FILM_URL, 'GET')).arrayBuffer()).byteLength;
  const seconds = (performance.now() - startedAt) / 1_000;
  return Math.round((bytes * 8) / 10_000 / seconds) / 100;
}

async function ask(url: string, method: string): Promise<Response> {
  const answer = await fetch(url, { method, cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
