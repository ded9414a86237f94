import { randomUUID } from 'node:crypto';
import type { Agent } from 'undici';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildCode, enter, revokeCode } from '../support/http-evening.ts';
import { inParallel } from '../support/parallel.ts';
import { type Code, makeCodes } from '../support/prepared.ts';
import { hear } from './hear.ts';
import { type Nodes, startNodes } from './nodes.ts';

/** Codes of one use, and how many try each of them at once. */
const CODES = 500;
const EACH = 20;
/** So many codes does each network try: fewer than it takes to be told to wait. */
const A_NETWORK = 4;
/** Right codes among wrong ones. */
const RIGHT = 60;
const WRONG = 1_200;
const STREAMS = 300;
/** What the greatest crowd may take on a machine that others use as well, in ms: it is a guard, not a measure. */
const LONG_ENOUGH_MS = 900_000;
/** Who asks at the same time. */
const AT_ONCE = 64;

let nodes: Nodes<void>;
let admin: string;
beforeAll(async () => {
  nodes = await startNodes({ proxy: 'nginx', env: { LOG_LEVEL: 'warn' } });
  admin = await nodes.signIn();
});
afterAll(() => nodes?.stop());
beforeEach(async () => void (await nodes.ask('delete from rate_limits')));

/** The client of a network of its own: an address of this machine that nobody else has. */
function network(n: number): Agent {
  return nodes.front.agent({ localAddress: `127.${1 + (n >> 14)}.${(n >> 7) & 127}.${1 + (n & 127)}` });
}

/** Tries a code; who is answered «not now» says the same again, as the page does. */
async function tried(token: string, dispatcher: Agent): Promise<number> {
  const body = JSON.stringify({ token, attempt_id: randomUUID(), device_id: `device-${randomUUID()}` });
  for (;;) {
    const response = await fetch(`${nodes.url}/api/access`, {
      method: 'POST',
      headers: { origin: nodes.url, 'content-type': 'application/json' },
      body,
      dispatcher,
    } as RequestInit);
    await response.text();
    if (response.status !== 503) return response.status;
  }
}

/** What all networks were answered, each of which tries its codes one after the other. */
async function answers(
  networks: readonly (readonly string[])[],
): Promise<{ token: string; status: number }[]> {
  const jobs = networks.map((tokens, n) => async () => {
    const agent = network(n);
    const found = [];
    for (const token of tokens) found.push({ token, status: await tried(token, agent) });
    await agent.close();
    return found;
  });
  return (await inParallel(jobs, AT_ONCE)).flat();
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

const tally = (found: readonly { status: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(found, ({ status }) => status)].map(([status, { length }]) => [status, length]),
  );

test(`${CODES * EACH} entries with ${CODES} codes of one use: each lets one in, and none another`, {
  timeout: LONG_ENOUGH_MS,
}, async () => {
  const codes = await makeCodes(nodes.url, admin, CODES);
  const tries = shuffled(Array.from({ length: EACH }, () => codes.map(({ token }) => token)).flat());
  const networks = Array.from({ length: tries.length / A_NETWORK }, (_, n) =>
    tries.slice(n * A_NETWORK, (n + 1) * A_NETWORK),
  );
  const began = performance.now();
  const found = await answers(networks);
  const seconds = (performance.now() - began) / 1_000;
  console.log(`${found.length} entries in ${seconds.toFixed(1)} s: ${JSON.stringify(tally(found))}`);
  expect(tally(found)).toEqual({ 200: CODES, 403: CODES * (EACH - 1) });
  expect(new Set(found.filter(({ status }) => status === 200).map(({ token }) => token)).size).toBe(CODES);
  expect(await usedOf(codes)).toEqual({ used: CODES, over: 0 });
});

async function usedOf(codes: readonly Code[]) {
  const ids = codes.map(({ id }) => `'${id}'`).join(', ');
  const [row] = await nodes.ask(
    `select sum(accessi_usati)::int as used, count(*) filter (where accessi_usati > max_accessi)::int as over from tokens where id in (${ids})`,
  );
  return row;
}

test(`${RIGHT} right codes among ${WRONG} wrong tries are let in, all of them`, async () => {
  const codes = await makeCodes(nodes.url, admin, RIGHT);
  const wrong = Array.from({ length: WRONG / A_NETWORK }, (_, n) =>
    Array.from({ length: A_NETWORK }, (_each, m) => `ROM-${String(n * A_NETWORK + m).padStart(8, '9')}`),
  );
  const found = await answers(shuffled([...wrong, ...codes.map(({ token }) => [token])]));
  console.log(`Right codes among wrong ones: ${JSON.stringify(tally(found))}`);
  const right = new Set(codes.map(({ token }) => token));
  expect(tally(found.filter(({ token }) => right.has(token)))).toEqual({ 200: RIGHT });
});

test(`a revocation is heard by ${STREAMS} streams on both nodes`, async () => {
  const token = await buildCode(nodes, { admin }, { max_accessi: STREAMS });
  const open = async () => hear(nodes.url, await enter(nodes, { token }));
  const streams = await inParallel(
    Array.from({ length: STREAMS }, () => open),
    16,
  );
  for (const each of streams) await each.until('event: ping');
  const began = performance.now();
  await revokeCode(nodes, { admin }, token);
  const heard = await Promise.all(
    streams.map(async (each) =>
      (await each.until('disconnected')) ? (each.at('disconnected') ?? 0) - began : null,
    ),
  );
  for (const each of streams) each.close();
  const late = heard.filter((ms) => ms !== null).toSorted((a, b) => a - b);
  console.log(
    `Revocation heard by ${late.length} of ${STREAMS}: p50 ${percentile(late, 0.5)} ms, p99 ${percentile(late, 0.99)} ms`,
  );
  expect(late.length).toBe(STREAMS);
});

const percentile = (sorted: readonly number[], part: number) =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN);
