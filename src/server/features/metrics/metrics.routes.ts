import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { errorResponse } from '../../http/refusals.ts';
import { type Handler, type HttpEnv, setRoute } from '../../http/request-context.ts';
import { createListener, createNodeServer, listen, stopListening } from '../../http/server.ts';
import { metricsEnabled } from '../../log.ts';
import type { Metrics } from './metrics.ts';

/** Creates the metrics if the settings enable them; loads prom-client only then. */
export async function createMetricsIfEnabled(deps: Omit<Deps, 'metrics'>): Promise<Deps['metrics']> {
  return metricsEnabled(deps.env) ? (await import('./metrics.ts')).openMetrics(deps) : null;
}

const BEARER = /^Bearer +(\S+)$/i;

/** Handles `GET /metrics`; requires the bearer token if one is configured. */
export function metricsHandler(metrics: Metrics, token: string | undefined): Handler {
  return async (c) => {
    const [, sentToken = ''] = BEARER.exec(c.req.header('authorization') ?? '') ?? [];
    if (token !== undefined && !timingSafeEqual(digest(token), digest(sentToken)))
      return errorResponse('SIGN_IN_REQUIRED', { 'WWW-Authenticate': 'Bearer' });
    const headers = { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' };
    return new Response(await metrics.text(), { headers });
  };
}

/** Hashes to a fixed length, which `timingSafeEqual` requires. */
const digest = (text: string) => createHash('sha256').update(text).digest();

/** Serves only `/metrics` on METRICS_ADDRESS. Returns a function that stops the server. */
export async function startMetricsServer({
  env,
  log,
  metrics,
  drain,
}: Pick<Deps, 'env' | 'log' | 'metrics' | 'drain'>): Promise<() => Promise<void>> {
  const { METRICS_ADDRESS: address, METRICS_TOKEN: token } = env;
  if (metrics === null || address === undefined) return async () => {};
  const hono = new Hono<HttpEnv>();
  hono.get('/metrics', setRoute('/metrics'), metricsHandler(metrics, token));
  hono.all('*', () => errorResponse('NOT_FOUND'));
  const server = createNodeServer(
    env,
    createListener(hono, { env: { ...env, listener: 'machine' }, log, drain }),
  );
  await listen(server, address).catch((error: Error) => {
    throw new Error(`METRICS_ADDRESS: ${error.message}`, { cause: error.cause });
  });
  return () => stopListening(server);
}
