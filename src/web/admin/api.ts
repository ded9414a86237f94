import { type Client, createORPCClient, ORPCError } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { adminContract } from '../../contract/admin.ts';
import { type ApiError, isErrorBody } from '../api/failure.ts';
import { toApiError } from './failure.ts';
import { markSignedIn, requestSignIn } from './signed-out.ts';

type CallContext = {
  /** How a call takes that nobody is signed in: by asking to sign in again (the rule), or as a refusal like any other. */
  whenSignedOut?: 'ask' | 'refuse';
  /** It waits this long, in milliseconds, before it counts as lost: for what the server is known to take its time over. */
  patienceMs?: number;
};

/** The same of every other call. */
const TIMEOUT_MS = 15_000;

/** The client's calls throw `Failure` and nothing else. */
type Failing<T> =
  T extends Client<infer Context, infer Input, infer Output, infer _>
    ? Client<Context, Input, Output, ApiError>
    : { [K in keyof T]: Failing<T[K]> };

const link = new OpenAPILink<CallContext>(adminContract, {
  url: () => new URL('/api', location.origin),
  fetch: send,
  customErrorResponseBodyDecoder: (body, { status }) =>
    isErrorBody(body)
      ? new ORPCError(body.codice, { status, message: body.messaggio, data: body })
      : new ORPCError('UNREADABLE', { status }),
  interceptors: [
    async ({ next, context }) => {
      try {
        const answer = await next();
        markSignedIn();
        return answer;
      } catch (error) {
        const failure = toApiError(error);
        if (failure.codice !== 'SIGN_IN_REQUIRED' || context.whenSignedOut === 'refuse') throw failure;
        if (!(await requestSignIn())) throw failure;
      }
      return next().catch((error: unknown) => {
        throw toApiError(error);
      });
    },
  ],
});

type RawClient = ContractRouterClient<typeof adminContract, CallContext>;

/** The administrator's calls, as the contract names them. */
// The interceptor throws nothing but failures
export const api = createORPCClient<Failing<RawClient>>(link);

/** Options and keys of the same calls for TanStack Query. */
export const queries = createTanstackQueryUtils(api, { path: ['admin'] });

type CallOptions = { signal?: AbortSignal | undefined; context: CallContext };

function send(request: Request, init: RequestInit, { signal, context }: CallOptions) {
  const late = AbortSignal.timeout(context.patienceMs ?? TIMEOUT_MS);
  return fetch(withBody(request), {
    ...init,
    cache: 'no-store',
    signal: signal === undefined ? late : AbortSignal.any([signal, late]),
  });
}

/** The server reads nothing but JSON: what changes something and has nothing to say says `{}`. */
function withBody(request: Request): Request {
  const { method } = request;
  const silent = method !== 'GET' && method !== 'DELETE' && !request.headers.has('content-type');
  if (!silent) return request;
  return new Request(request, { method, body: '{}', headers: { 'content-type': 'application/json' } });
}
