import { OpenAPIHandler } from '@orpc/openapi/fetch';
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

export type Handler = (c: HttpContext, body: Buffer | null) => Promise<Response>;

/** Answers the calls of the contract: the body has been read and checked, what is thrown becomes a refusal. */
export function createCalls(router: ContractRouter, deps: Deps, trusts: Trusts): Handler {
  const handler = new OpenAPIHandler<RequestContext>(router, {
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
    const { matched, response } = await handler.handle(plainRequest(c, body), { prefix: '/api', context });
    if (!matched) return refuse('NOT_FOUND');
    for (const [name, value] of answerHeaders) response.headers.append(name, value);
    response.headers.set('Cache-Control', 'no-store');
    return response;
  };
}

/**
 * The request with nothing but its JSON: whatever else its headers say can't change how it is read. A HEAD is answered as its GET; Node
 * leaves the body out.
 */
function plainRequest(c: HttpContext, body: Buffer | null): Request {
  const { url } = c.req;
  const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
  if (body === null || body.length === 0) return new Request(url, { method });
  return new Request(url, {
    method,
    body: new Uint8Array(body),
    headers: { 'content-type': 'application/json' },
  });
}
