import { StandardOpenAPIHandler } from '@orpc/openapi/standard';
import type { Router } from '@orpc/server';
import type { contract } from '../../contract/contract.ts';
import type { Deps } from '../deps.ts';
import type { Trusts } from './address.ts';
import { refusalOf } from './failures.ts';
import type { RequestContext } from './orpc.ts';
import { refuse } from './refusals.ts';
import { requestContext } from './request-context.ts';
import type { HttpContext } from './scope.ts';

type ContractRouter = Router<typeof contract, RequestContext>;

/** Answers a request; `body` is its JSON, checked, or undefined where there is none. */
export type Handler = (c: HttpContext, body: unknown) => Promise<Response>;

/** Answers the calls of the contract: the body has been read and checked, what is thrown becomes a refusal. */
export function createCalls(router: ContractRouter, deps: Deps, trusts: Trusts): Handler {
  const handler = new StandardOpenAPIHandler<RequestContext>(router, {
    interceptors: [
      async ({ context, next }) => {
        try {
          return await next();
        } catch (error) {
          const { status, headers, body } = refusalOf(error, {
            request_id: context.request_id,
            log: deps.log,
          });
          return { matched: true, response: { status, headers, body } };
        }
      },
    ],
  });
  return async (c, body) => {
    const { context, answerHeaders } = requestContext(deps, trusts, c);
    const { matched, response } = await handler.handle(asked(c, body), { prefix: '/api', context });
    if (!matched) return refuse('NOT_FOUND');
    const headers = new Headers({ 'Cache-Control': 'no-store' });
    for (const [name, value] of [...Object.entries(response.headers), ...answerHeaders])
      headers.append(name, String(value));
    const { status } = response;
    return response.body === undefined
      ? new Response(null, { status, headers })
      : Response.json(response.body, { status, headers });
  };
}

/**
 * The request as oRPC takes it, with nothing but its JSON: whatever else its headers say can't change how it is read. A HEAD is answered as
 * its GET; Node leaves the body out.
 */
function asked(c: HttpContext, body: unknown) {
  return {
    method: c.req.method === 'HEAD' ? 'GET' : c.req.method,
    url: new URL(c.req.url),
    headers: {},
    body: () => Promise.resolve(body),
    signal: undefined,
  };
}
