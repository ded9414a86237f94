import { StandardOpenAPICodec } from '@orpc/openapi/standard';
import {
  StandardBracketNotationSerializer,
  StandardOpenAPIJsonSerializer,
  StandardOpenAPISerializer,
} from '@orpc/openapi-client/standard';
import {
  call,
  getRouter,
  isProcedure,
  ORPCError,
  type Router,
  traverseContractProcedures,
} from '@orpc/server';
import { contract } from '../../contract/contract.ts';
import type { Endpoint } from './api.ts';
import { toErrorReply } from './failures.ts';
import { type RequestContext, requestContext } from './request-context.ts';
import type { Handler, HttpContext } from './scope.ts';

type ContractRouter = Router<typeof contract, RequestContext>;

/** Decodes a call's input and encodes its output. */
const codec = new StandardOpenAPICodec(
  new StandardOpenAPISerializer(new StandardOpenAPIJsonSerializer(), new StandardBracketNotationSerializer()),
);

/** Creates the endpoints of the contract. Hono has matched the route, so oRPC receives the procedure and needs no router (decision 002). */
export function contractEndpoints(router: ContractRouter): Endpoint[] {
  const endpoints: Endpoint[] = [];
  traverseContractProcedures({ router: contract, path: [] }, ({ contract: declared, path: name }) => {
    // The property in which oRPC's types declare the defined options; no other export has a call's route.
    const { path, method } = declared['~orpc'].route;
    if (path === undefined || method === undefined)
      throw new Error(`The call ${name.join('.')} has no path or method.`);
    endpoints.push({ path, method, answer: createHandler(router, name) });
  });
  return endpoints;
}

/** Creates the handler of a call: decodes the input, converts thrown errors to refusals, and adds the headers that the call has set. */
function createHandler(router: ContractRouter, name: readonly string[]): Handler {
  const procedure = getRouter(router, name);
  if (!isProcedure(procedure)) throw new Error(`Nothing answers the call ${name.join('.')}.`);
  return async (c) => {
    const { context, answerHeaders } = requestContext(c);
    const execute = async () => {
      const input = await codec.decode(toOrpcRequest(c), pathParameters(c), procedure).catch(throwBadRequest);
      return codec.encode(await call(procedure, input, { context, path: name }), procedure);
    };
    const { status, headers, body } = await execute().catch((error: unknown) =>
      toErrorReply(error, { request_id: context.request_id, log: context.deps.log }),
    );
    const all = new Headers({ 'Cache-Control': 'no-store' });
    for (const [header, value] of [...Object.entries(headers), ...answerHeaders])
      all.append(header, String(value));
    return body === undefined
      ? new Response(null, { status, headers: all })
      : Response.json(body, { status, headers: all });
  };
}

/**
 * Converts the request for oRPC: only its URL and JSON, so that other headers can't change its decoding. A HEAD counts as GET; Node omits
 * the body.
 */
function toOrpcRequest(c: HttpContext) {
  return {
    method: c.req.method === 'HEAD' ? 'GET' : c.req.method,
    // A getter, because only calls without a body read their input from the URL.
    get url() {
      return new URL(c.req.url);
    },
    headers: {},
    body: async () => c.get('body'),
    signal: undefined,
  };
}

/** Returns the path parameters; undefined if there are none: a call without a body then has no input and is refused. */
function pathParameters(c: HttpContext): Record<string, string> | undefined {
  const named = c.req.param();
  return Object.keys(named).length === 0 ? undefined : named;
}

function throwBadRequest(cause: unknown): never {
  throw new ORPCError('BAD_REQUEST', { cause });
}
