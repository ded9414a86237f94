import type { HTTPMethod, HTTPPath } from '@orpc/contract';
import type { OpenAPI } from '@orpc/openapi';
import { Hono } from 'hono';
import type { z } from 'zod';
import type { ErrorCode } from '../../contract/errors.ts';
import { metricsEnabled } from '../counted.ts';
import type { Env } from '../env.ts';
import { requireSameOrigin, requireSameOriginBeacon } from './edge.ts';
import { type AllowLongBody, parseJsonBody, readBodyUpTo, requireContentType } from './json-body.ts';
import { errorResponse } from './refusals.ts';
import { type Handler, type HttpEnv, type Middleware, setRoute } from './request-context.ts';

/** A method and path under `/api` with its handler; GET handlers also answer HEAD. `{name}` matches one segment, `{viaggio}` 1 or 2. */
export type Endpoint = {
  method: HTTPMethod;
  path: HTTPPath;
  /**
   * Reading of the request body: `json` is limited to 64 kB, `beacon` also accepts text/plain, `own` is read and limited by the handler;
   * `longerFor` decides which callers may send longer JSON.
   */
  body?: 'json' | 'beacon' | 'own' | { longerFor: AllowLongBody };
  answer: Handler;
  /** For the OpenAPI document, as are the fields below; missing on calls of the contract, which describes them. */
  summary?: string;
  /** Status of a success; 200 by default. */
  status?: number;
  /** Media type of a success with a body. */
  responseType?: string;
  /** Expected refusals; that of a missing cookie implies the security scheme. */
  refusals?: readonly ErrorCode[];
  /** Schema of segments, query and JSON body; by default each segment is a string. */
  input?: z.ZodType;
  /** Other parts of the OpenAPI operation. */
  operation?: OpenAPI.OperationObject;
};

/** Creates the app for `/api`. Hono matches path and method; nothing matches them again (decision 002). */
export function createApi(env: Env, endpoints: readonly Endpoint[]): Hono<HttpEnv> {
  const api = new Hono<HttpEnv>();
  for (const [path, sameEndpoints] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const address = path.replace('{viaggio}', ':viaggio{[12]}').replace(/\{(\w+)\}/g, ':$1');
    const notAllowed = createNotAllowed(sameEndpoints);
    if (metricsEnabled(env)) api.use(address, setRoute(`/api${path}`));
    for (const endpoint of sameEndpoints) {
      const { method, answer } = endpoint;
      // Hono routes a HEAD request as a GET.
      if (method === 'HEAD') api.get(address, onlyHead(notAllowed), answer);
      else api.on(method, [address], ...middlewareFor(env, endpoint), answer);
    }
    api.all(address, notAllowed);
  }
  api.all('*', () => errorResponse('NOT_FOUND'));
  return api;
}

/** Returns the middleware before a handler, in order: each refuses the request or passes it on. */
function middlewareFor(env: Env, { method, body = 'json' }: Endpoint): Middleware[] {
  if (method === 'GET') return [];
  if (body === 'own') return [requireSameOrigin(env)];
  if (body === 'beacon')
    return [requireSameOriginBeacon(env), requireContentType('json', 'text'), readBodyUpTo(), parseJsonBody];
  return [
    requireSameOrigin(env),
    requireContentType('json'),
    readBodyUpTo(body === 'json' ? null : body.longerFor),
    parseJsonBody,
  ];
}

/** Returns the handler for other methods of a path. */
function createNotAllowed(sameEndpoints: readonly Endpoint[]): () => Response {
  const allowed = sameEndpoints.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return () => errorResponse('METHOD_NOT_ALLOWED', { Allow: allowed.join(', ') });
}

const onlyHead =
  (notAllowed: () => Response): Middleware =>
  async (c, next) =>
    c.req.method === 'HEAD' ? next() : notAllowed();
