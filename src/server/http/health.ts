import { ping } from '../db/ping.ts';
import type { Deps } from '../deps.ts';
import { refuse } from './refusal-answer.ts';

/** How long database and storage may take to say that they are there, in ms. */
const PATIENCE_MS = 3_000;

/** Alive: the process answers. */
export const healthz = () => answerOk();

/** Ready: database and storage answer as well, else 503. */
export function createReadyz({
  db,
  storage,
  log,
}: Pick<Deps, 'db' | 'storage' | 'log'>): () => Promise<Response> {
  return async () => {
    try {
      await inTime(Promise.all([ping(db), storage.check()]));
      return answerOk();
    } catch (error) {
      log.warn({ err: error }, 'not ready');
      return refuse('UNAVAILABLE');
    }
  };
}

function answerOk(): Response {
  return Response.json({ ok: true }, { headers: { 'Cache-Control': 'no-store' } });
}

async function inTime(work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`No answer within ${PATIENCE_MS} ms.`)), PATIENCE_MS);
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
