import type { Deps } from '../deps.ts';
import { clientAddress, type IsTrustedProxy } from './address.ts';
import {
  expiredPassCookie,
  noVisitCookies,
  passCookie,
  readPassCookies,
  readVisitCookie,
  visitCookie,
} from './cookies.ts';
import type { RequestContext } from './orpc.ts';
import type { HttpContext } from './scope.ts';

const USER_AGENT_LENGTH = 500;

/** Returns the context of a call, and the headers that the call sets on its response. */
export function requestContext(
  deps: Deps,
  isTrustedProxy: IsTrustedProxy,
  c: HttpContext,
): { context: RequestContext; answerHeaders: [string, string][] } {
  const { incoming, scope } = c.env;
  const answerHeaders: [string, string][] = [];
  const context: RequestContext = {
    deps,
    request_id: scope.request_id,
    address: addressOf(c, isTrustedProxy),
    user_agent: (incoming.headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH),
    connection: incoming.socket,
    cookies: {
      visit: readVisitCookie(deps, incoming.headers.cookie),
      ...readPassCookies(deps, incoming.headers.cookie),
    },
    // Created on demand: requests for parts of a film don't need it.
    get headers() {
      return c.req.raw.headers;
    },
    setVisitCookie: (secret) => answerHeaders.push(['Set-Cookie', visitCookie(deps, secret)]),
    clearVisitCookie: () => {
      for (const line of noVisitCookies(deps, incoming.headers.cookie))
        answerHeaders.push(['Set-Cookie', line]);
    },
    setPassCookie: (of, pass, ends) =>
      answerHeaders.push(['Set-Cookie', passCookie(deps, of, { pass, ends, now: deps.now() })]),
    clearPassCookie: (of) => answerHeaders.push(['Set-Cookie', expiredPassCookie(deps, of)]),
    clearSiteData: () => answerHeaders.push(['Clear-Site-Data', '"cache"']),
  };
  return { context, answerHeaders };
}

/** Returns the client's address behind trusted proxies. */
export function addressOf(c: HttpContext, isTrustedProxy: IsTrustedProxy): string {
  const { incoming } = c.env;
  const forwarded = incoming.headers['x-forwarded-for'];
  return clientAddress(
    incoming.socket.remoteAddress,
    Array.isArray(forwarded) ? forwarded.join(',') : forwarded,
    isTrustedProxy,
  );
}
