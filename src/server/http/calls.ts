import type { AnySchema, InferSchemaInput, InferSchemaOutput } from '@orpc/contract';
import { StandardOpenAPICodec } from '@orpc/openapi/standard';
import {
  StandardBracketNotationSerializer,
  StandardOpenAPIJsonSerializer,
  StandardOpenAPISerializer,
} from '@orpc/openapi-client/standard';
import {
  call,
  type ErrorMap,
  getRouter,
  implement,
  isProcedure,
  type Meta,
  ORPCError,
  type Procedure,
  type ProcedureImplementer,
  type Router,
  traverseContractProcedures,
} from '@orpc/server';
import { contract } from '../../contract/contract.ts';
import { ERROR_STATUS, type ErrorCode } from '../../contract/errors.ts';
import type { Deps } from '../deps.ts';
import { isRefused, type Refusal } from '../refused.ts';
import type { Endpoint } from './api.ts';
import { toErrorReply } from './refusals.ts';
import { type Handler, type HttpContext, type RequestContext, requestContext } from './request-context.ts';

/** The calls of the contract, open to everybody. `auth/actor.ts` has the same ones behind the administrator's guard. */
export const os = implement(contract).$context<RequestContext>();

/**
 * Answers a call, with its validated input. Only a service that sets cookies or reads headers uses the request.
 * @param deps the dependencies, with what the guard of the call has granted
 */
type Service<D, I, O, C extends ErrorCode> = (
  deps: D,
  input: I,
  request: RequestContext,
) => O | Refusal<C> | Promise<O | Refusal<C>>;

type Codes<E> = Extract<keyof E, ErrorCode>;
type Guarded<D> = RequestContext & { deps: D };
type BoundCall<I extends AnySchema, O extends AnySchema, E extends ErrorMap> = Procedure<
  RequestContext,
  RequestContext,
  I,
  O,
  E,
  Meta
>;

/** Binds a service to a call. The service may refuse only with codes that the call declares. */
export function bind<D extends Deps, I extends AnySchema, O extends AnySchema, E extends ErrorMap>(
  call: ProcedureImplementer<RequestContext, Guarded<D>, I, O, E, Meta>,
  service: NoInfer<Service<D, InferSchemaOutput<I>, InferSchemaInput<O>, Codes<E>>>,
): BoundCall<I, O, E> {
  const bound = call.handler(async ({ context, input }) => {
    const result = await service(context.deps, input, context);
    if (isRefused(result)) throw toCallError(result);
    return result as InferSchemaInput<O>;
  });
  // Its guard turns any request into one that the service takes.
  return bound as unknown as BoundCall<I, O, E>;
}

/** Returns the error of a refusal. Only oRPC needs one. */
export function toCallError({ refused, ...data }: Refusal): ORPCError<ErrorCode, object> {
  return new ORPCError(refused, { status: ERROR_STATUS[refused], data });
}

/** Puts a guard before a service. Its first argument then contains what the guard has granted. */
export function withGuard<G extends object, I, R>(
  guard: (request: RequestContext) => Promise<G>,
  service: (ctx: Deps & Exclude<G, Refusal>, input: I, request: RequestContext) => R | Promise<R>,
) {
  return async (deps: Deps, input: I, request: RequestContext): Promise<R | Extract<G, Refusal>> => {
    const granted = await guard(request);
    if (isRefused(granted)) return granted;
    return service({ ...deps, ...(granted as Exclude<G, Refusal>) }, input, request);
  };
}

/** What can answer a call of a group: its service, or the call itself if it is bound already. */
type Answer<P> =
  P extends ProcedureImplementer<RequestContext, Guarded<infer D>, infer I, infer O, infer E, Meta>
    ? Service<D, InferSchemaOutput<I>, InferSchemaInput<O>, Codes<E>> | BoundCall<I, O, E>
    : never;
type Bound<P> =
  P extends ProcedureImplementer<RequestContext, infer _X, infer I, infer O, infer E, Meta>
    ? BoundCall<I, O, E>
    : never;
/** The calls of a group, without oRPC's own properties. */
type CallName<G> = { [K in keyof G]: [Bound<G[K]>] extends [never] ? never : K }[keyof G];

/**
 * Binds the calls of a group to their services. The compiler refuses a missing or unknown call. A call with another guard
 * than the group's is bound separately.
 */
export function calls<G extends object>(
  group: G,
  services: NoInfer<{ [K in CallName<G>]: Answer<G[K]> }>,
): { [K in CallName<G>]: Bound<G[K]> } {
  const bound = Object.entries<unknown>(services).map(([name, service]) => [
    name,
    isProcedure(service) ? service : bind(Reflect.get(group, name) as never, service as never),
  ]);
  return Object.fromEntries(bound);
}

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
      const parameters = c.req.param();
      // A call without a body or parameters has no input and is refused.
      const named = Object.keys(parameters).length === 0 ? undefined : parameters;
      const input = await codec.decode(toOrpcRequest(c), named, procedure).catch((cause: unknown) => {
        throw new ORPCError('BAD_REQUEST', { cause });
      });
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
