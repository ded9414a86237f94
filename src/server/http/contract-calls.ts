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
import type { Deps } from '../deps.ts';
import type { IsTrustedProxy } from './address.ts';
import type { Endpoint } from './api.ts';
import { toErrorReply } from './failures.ts';
import type { RequestContext } from './orpc.ts';
import { requestContext } from './request-context.ts';
import type { Handler, HttpContext } from './scope.ts';

type ContractRouter = Router<typeof contract, RequestContext>;

/** How oRPC reads a call's input out of a request, and writes its output. */
const codec = new StandardOpenAPICodec(
  new StandardOpenAPISerializer(new StandardOpenAPIJsonSerializer(), new StandardBracketNotationSerializer()),
);

/**
 * The contract's calls, each at its own address: Hono has found it by then, and oRPC is handed what answers it, so that it needs no router
 * (decision 39).
 */
export function contractEndpoints(router: ContractRouter, deps: Deps, trusts: IsTrustedProxy): Endpoint[] {
  const endpoints: Endpoint[] = [];
  traverseContractProcedures({ router: contract, path: [] }, ({ contract: declared, path: name }) => {
    // The property that oRPC's types declare for «the defined options»: nothing else it exports says a call's route.
    const { path, method } = declared['~orpc'].route;
    if (path === undefined || method === undefined)
      throw new Error(`The call ${name.join('.')} has no path or method.`);
    endpoints.push({ path, method, answer: answerOf(router, name, { deps, trusts }) });
  });
  return endpoints;
}

/** The call reads its input, answers, and what it throws becomes a refusal; either way with the headers it has asked for. */
function answerOf(
  router: ContractRouter,
  name: readonly string[],
  { deps, trusts }: { deps: Deps; trusts: IsTrustedProxy },
): Handler {
  const procedure = getRouter(router, name);
  if (!isProcedure(procedure)) throw new Error(`Nothing answers the call ${name.join('.')}.`);
  return async (c) => {
    const { context, answerHeaders } = requestContext(deps, trusts, c);
    const answered = async () => {
      const input = await codec.decode(asked(c), segments(c), procedure).catch(unreadable);
      return codec.encode(await call(procedure, input, { context, path: name }), procedure);
    };
    const { status, headers, body } = await answered().catch((error: unknown) =>
      toErrorReply(error, { request_id: context.request_id, log: deps.log }),
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
 * The request as oRPC takes it, with nothing but its address and its JSON: whatever else its headers say can't change how it is read. A
 * HEAD is answered as its GET; Node leaves the body out.
 */
function asked(c: HttpContext) {
  return {
    method: c.req.method === 'HEAD' ? 'GET' : c.req.method,
    // Only what has no body looks for its input there.
    get url() {
      return new URL(c.req.url);
    },
    headers: {},
    body: async () => c.get('body'),
    signal: undefined,
  };
}

/** What stands for the `{name}`s of the address. Where there are none, a call without a body has no input either, and is refused. */
function segments(c: HttpContext): Record<string, string> | undefined {
  const named = c.req.param();
  return Object.keys(named).length === 0 ? undefined : named;
}

function unreadable(cause: unknown): never {
  throw new ORPCError('BAD_REQUEST', { cause });
}
