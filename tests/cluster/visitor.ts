import { setTimeout as delay } from 'node:timers/promises';
import { call } from '../support/http.ts';
import { buildCode, enter, walkTo } from '../support/http-evening.ts';
import { openEventStream } from './hear.ts';
import type { Nodes } from './nodes.ts';

/** A visitor during the film. The player requests one range after another; the page reports position and heartbeat, and listens. */
export type Visitor = {
  token: { id: string; token: string };
  /** Number of replies by kind: `range 206`, `position 200`, `heartbeat 200`, `live 200`, or the name of an error. */
  answered: Map<string, number>;
  /** Waits for `times` more good replies of each of these kinds; all kinds by default. */
  waitForReplies(times: number, kinds?: readonly Good[]): Promise<void>;
  /** Waits until this reply has come `times` times in total. */
  isTold(what: string, times: number): Promise<void>;
  /** Stops. Returns the replies that weren't good. */
  leave(): Promise<string[]>;
};

const GOODS = ['range 206', 'position 200', 'heartbeat 200'] as const;
type Good = (typeof GOODS)[number];

/** Size of a range, in bytes. */
const RANGE = 65_536;
/** Delay between two calls of a kind, in ms: ten times as frequent as a page's. */
const PAUSE_MS = 50;

export async function visitorIn(nodes: Nodes<string>, admin: string, film: number): Promise<Visitor> {
  const token = await buildCode(nodes, { admin });
  const cookie = await enter(nodes, { token });
  const { position } = await walkTo(nodes, cookie, 'video');
  const answered = new Map<string, number>();
  const count = (what: string) => void answered.set(what, (answered.get(what) ?? 0) + 1);
  let isThere = true;
  const again = async (kind: string, ask: (n: number) => Promise<number>) => {
    for (let n = 0; isThere; n += 1) {
      const status = await ask(n).catch((error: Error) => causeOf(error));
      count(`${kind} ${status}`);
      await delay(PAUSE_MS);
    }
  };
  const post = async (path: string, body: unknown) =>
    (await call(nodes.url, 'POST', path, body, { cookie })).status;
  const range = async (n: number) => {
    const start = (n * RANGE) % (film - RANGE);
    const headers = { cookie, range: `bytes=${start}-${start + RANGE - 1}` };
    const response = await fetch(`${nodes.url}${nodes.prepared}`, { headers });
    const { byteLength } = await response.arrayBuffer();
    return byteLength === RANGE || response.status !== 206 ? response.status : -1;
  };
  let stream = await openEventStream(nodes.url, cookie);
  const listen = async () => {
    while (isThere) {
      await stream.over;
      if (!isThere) return;
      // Like the page: reconnects a moment after it was requested.
      const next = await openEventStream(nodes.url, cookie).catch((error: Error) => error);
      count(next instanceof Error ? `live ${causeOf(next)}` : 'live 200');
      if (!(next instanceof Error)) stream = next;
      else await delay(PAUSE_MS);
    }
  };
  const all = [
    again('range', range),
    again('position', (n) => post('/visit/position', { ...position, second: n % 10 })),
    again('heartbeat', () => post('/visit/heartbeat', {})),
    listen(),
  ];
  const isTold = async (what: string, times: number) => {
    while ((answered.get(what) ?? 0) < times) await delay(PAUSE_MS);
  };
  return {
    token,
    answered,
    async waitForReplies(times, kinds = GOODS) {
      await Promise.all(kinds.map((what) => isTold(what, (answered.get(what) ?? 0) + times)));
    },
    isTold,
    async leave() {
      isThere = false;
      stream.close();
      await Promise.all(all);
      return [...answered].filter(([what]) => ![...GOODS, 'live 200'].includes(what)).map(String);
    },
  };
}

function causeOf({ cause, message }: Error): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : message;
}
