import { z } from 'zod';
import { ping, tryWrite } from '../db/ping.ts';
import type { Deps } from '../deps.ts';
import type { Endpoint } from './api.ts';
import { errorReply, errorResponse } from './refusals.ts';
import type { HttpContext } from './scope.ts';

/** How long database and storage may take to say that they are there: so many looks at the clock, so many ms apart. */
const LOOKS = 10;
const LOOK_MS = 300;

/** Outside `/api` and for any host name: a proxy asks each node by its own address. */
export function healthEndpoints(deps: Deps): Endpoint[] {
  const operation = { servers: [{ url: '/' }] };
  const common = { method: 'GET', responseType: 'application/json', operation } as const;
  return [
    { ...common, path: '/healthz', summary: 'The process is alive', answer: async () => answerOk() },
    {
      ...common,
      path: '/readyz',
      summary: 'Database and storage answer; `exclude` leaves out what all nodes behind a proxy share',
      input: z.object({ exclude: z.literal('storage').optional() }),
      refusals: ['UNAVAILABLE'],
      answer: createReadyz(deps),
    },
  ];
}

/** Strangers may ask as well: a write that went well is good for so long, in ms. */
const WRITTEN_MS = 1_000;

/**
 * Ready: database and storage answer as well, what is written is kept, what other nodes say is heard, and the clock is theirs; else, and
 * before a stop, 503. A proxy that shares visitors out asks for `?exclude=storage`: all nodes have the same one, and when it is away
 * everything but files goes on.
 */
export function createReadyz(
  deps: Pick<Deps, 'db' | 'inTransaction' | 'storage' | 'live' | 'log' | 'now' | 'drain' | 'clockIsOff'>,
): (c: Pick<HttpContext, 'req'>) => Promise<Response> {
  const { db, storage, live, log, drain } = deps;
  const write = atMostEvery(WRITTEN_MS, () => tryWrite(deps));
  return async ({ req }) => {
    if (drain.begun) return notReady('stopping');
    // It says so in the log itself, once.
    if (deps.clockIsOff()) return notReady('clock');
    try {
      const rest = req.query('exclude') === 'storage' ? [] : [storage.check()];
      await inTime(Promise.all([ping(db), write(), ...rest]));
      if (!live.isReceiving()) throw new Error('What other nodes say is not heard (DATABASE_DIRECT_URL).');
      return answerOk();
    } catch (error) {
      log.warn({ err: error }, 'not ready');
      return errorResponse('UNAVAILABLE');
    }
  };
}

/** With the reason, for whoever asks by hand. */
function notReady(reason: string): Response {
  const { status, headers, body } = errorReply('UNAVAILABLE');
  return Response.json({ ...body, reason }, { status, headers: { 'Cache-Control': 'no-store', ...headers } });
}

/** The same work for all who ask at once, and none for a while after it went well. */
function atMostEvery(ms: number, work: () => Promise<void>): () => Promise<void> {
  let last: { began: number; end: Promise<void> } | null = null;
  return () => {
    if (last !== null && performance.now() - last.began < ms) return last.end;
    const end = work();
    last = { began: performance.now(), end };
    end.catch(() => (last = null));
    return end;
  };
}

function answerOk(): Response {
  return Response.json({ ok: true }, { headers: { 'Cache-Control': 'no-store' } });
}

/** A process that stood still for seconds has looked once by then: what has answered meanwhile is heard before its time is up. */
async function inTime(work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>();
  let looks = 0;
  const timer = setInterval(() => {
    looks += 1;
    if (looks === LOOKS) late.reject(new Error(`No answer within ${LOOKS * LOOK_MS} ms.`));
  }, LOOK_MS);
  await Promise.race([work, late.promise]).finally(() => clearInterval(timer));
}
