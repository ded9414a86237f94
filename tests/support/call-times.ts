import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Client } from './client.ts';

/** How long a visitor's calls take: each a place or a sign of life. */

const PAUSE_MS = 20;
const FROM = '192.0.2.7';

/** When a call was sent, and how long until its answer was there; ms. */
export type CallTime = { at: number; ms: number };

/** Calls one after the other, for as long as `goesOn` says so. Every answer must be a good one. */
export async function callsWhile(
  client: Client,
  url: string,
  cookie: string,
  goesOn: () => boolean,
): Promise<CallTime[]> {
  const times: CallTime[] = [];
  for (let n = 0; goesOn(); n += 1) {
    const at = performance.now();
    const [path, body] =
      n % 4 === 0 ? ['/visit/heartbeat', {}] : ['/visit/position', { step: 0, phrase: 0, second: 0 }];
    const reply = await client.post(url, path, body, { cookie, from: FROM });
    times.push({ at, ms: performance.now() - at });
    expect(reply.status).toBe(200);
    await delay(PAUSE_MS);
  }
  return times;
}

/** The time within which so many in a hundred calls were answered, in ms. */
export function p(times: readonly CallTime[], percent: number): number {
  const sorted = times.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}

export const told = (times: readonly CallTime[]) =>
  `p50 ${p(times, 50).toFixed(1)} ms, p99 ${p(times, 99).toFixed(1)} ms, longest ${p(times, 100).toFixed(1)} ms (${times.length} calls)`;
