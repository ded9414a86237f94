import { z } from 'zod';
import { ping, tryWrite } from '../db/counters.ts';
import type { Deps } from '../deps.ts';
import type { Endpoint } from './api.ts';
import { errorReply, errorResponse } from './refusals.ts';
import type { HttpContext } from './request-context.ts';

/** Time for database and storage to answer: ticks, and ms per tick. */
const MAX_TICKS = 10;
const TICK_MS = 300;

/** Outside `/api` and for any host name: a proxy addresses each node separately. */
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

/** A successful write is reused for this time, in ms, because anyone may call `/readyz`. */
const WRITE_TTL_MS = 1_000;

/**
 * Returns 200 if database and storage answer, a write succeeds, messages of other nodes arrive and the clock is theirs; otherwise, and
 * before a stop, 503. A load balancer uses `?exclude=storage`: all nodes share it, and without it everything but files works.
 */
export function createReadyz(
  deps: Pick<Deps, 'db' | 'inTransaction' | 'storage' | 'live' | 'log' | 'now' | 'drain' | 'clockIsOff'>,
): (c: Pick<HttpContext, 'req'>) => Promise<Response> {
  const { db, storage, live, log, drain } = deps;
  let last: { began: number; end: Promise<void> } | null = null;
  /** Shares one write among concurrent callers. Only a successful one is reused afterwards. */
  const write = () => {
    if (last !== null && performance.now() - last.began < WRITE_TTL_MS) return last.end;
    const end = tryWrite(deps);
    last = { began: performance.now(), end };
    end.catch(() => (last = null));
    return end;
  };
  return async ({ req }) => {
    if (drain.begun) return notReady('stopping');
    // The clock logs this once itself.
    if (deps.clockIsOff()) return notReady('clock');
    try {
      const rest = req.query('exclude') === 'storage' ? [] : [storage.check()];
      await withTimeout(Promise.all([ping(db), write(), ...rest]));
      if (!live.isReceiving()) throw new Error('What other nodes say is not heard (DATABASE_DIRECT_URL).');
      return answerOk();
    } catch (error) {
      log.warn({ err: error }, 'not ready');
      return errorResponse('UNAVAILABLE');
    }
  };
}

/** Returns 503 with the reason, for manual checks. */
function notReady(reason: string): Response {
  const { status, headers, body } = errorReply('UNAVAILABLE');
  return Response.json({ ...body, reason }, { status, headers: { 'Cache-Control': 'no-store', ...headers } });
}

function answerOk(): Response {
  return Response.json({ ok: true }, { headers: { 'Cache-Control': 'no-store' } });
}

/**
 * Rejects after the maximum number of ticks. A process that was suspended for seconds counts one tick, so answers that arrived then are
 * read in time.
 */
async function withTimeout(work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>();
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
    if (ticks === MAX_TICKS) late.reject(new Error(`No answer within ${MAX_TICKS * TICK_MS} ms.`));
  }, TICK_MS);
  await Promise.race([work, late.promise]).finally(() => clearInterval(timer));
}
