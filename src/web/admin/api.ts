import { type Client, createORPCClient, ORPCError } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { adminContract } from '../../contract/contract.ts';
import { type ApiError, isErrorBody } from '../api/failure.ts';
import { toApiError } from './failure.ts';
import { markSignedIn, requestSignIn } from './signed-out.ts';

type CallContext = {
  /** Reaction to SIGN_IN_REQUIRED: 'ask' (default) requests a new sign-in, 'refuse' throws it like any other error. */
  whenSignedOut?: 'ask' | 'refuse';
  /** Timeout in ms, for calls that take longer than the default. */
  timeoutMs?: number;
};

/** Default timeout of a call, in ms. */
const TIMEOUT_MS = 15_000;

/** The client type with `ApiError` as the only error. */
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

/** The administrator's calls, named as in the contract. */
// The interceptor throws only `ApiError`
export const api = createORPCClient<Failing<RawClient>>(link);

/** TanStack Query options and keys of the same calls. */
export const queries = createTanstackQueryUtils(api, { path: ['admin'] });

type CallOptions = { signal?: AbortSignal | undefined; context: CallContext };

function send(request: Request, init: RequestInit, { signal, context }: CallOptions) {
  const timeoutSignal = AbortSignal.timeout(context.timeoutMs ?? TIMEOUT_MS);
  return fetch(withBody(request), {
    ...init,
    cache: 'no-store',
    signal: signal === undefined ? timeoutSignal : AbortSignal.any([signal, timeoutSignal]),
  });
}

/** Sends `{}` as the body of changes without one, because the server only accepts JSON. */
function withBody(request: Request): Request {
  const { method } = request;
  const isEmpty = method !== 'GET' && method !== 'DELETE' && !request.headers.has('content-type');
  if (!isEmpty) return request;
  return new Request(request, { method, body: '{}', headers: { 'content-type': 'application/json' } });
}
