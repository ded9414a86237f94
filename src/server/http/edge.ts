import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ERROR_STATUS } from '../../contract/errors.ts';
import { errorSentences } from '../../texts/errors.ts';
import type { Env } from '../env.ts';
import { errorResponse } from './refusals.ts';
import type { HttpContext, Middleware } from './request-context.ts';

type Settings = Pick<Env, 'PUBLIC_URL' | 'HTTPS_DOMAIN' | 'listener'>;

/** Names that a machine uses for itself; health checks use them. */
const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns true if the request has exactly one valid Host header. */
export function hasValidHost({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): boolean {
  const [host, ...others] = headersDistinct.host ?? [];
  return host !== undefined && others.length === 0 && URL.canParse(`http://${host}`);
}

/** Passes requests for the site's hosts; redirects or refuses others. */
export const requireKnownHost =
  (env: Settings): Middleware =>
  async (c, next) =>
    isOurHost(env, c.env.incoming.headers.host) ? next() : (redirectToSite(env, c) ?? wrongHostResponse(c));

/** Redirects a request for another of the site's names to its address; null for an unknown name. */
function redirectToSite(
  { PUBLIC_URL, HTTPS_DOMAIN = [], listener }: Settings,
  c: HttpContext,
): Response | null {
  if (listener !== undefined || PUBLIC_URL === undefined || !['GET', 'HEAD'].includes(c.req.method))
    return null;
  const requestedUrl = hostOf(`http://${c.env.incoming.headers.host}`)?.hostname ?? '';
  const siteUrl = new URL(PUBLIC_URL).hostname;
  const isAnother =
    requestedUrl !== siteUrl && normalizeHostname(requestedUrl) === normalizeHostname(siteUrl);
  return isAnother || HTTPS_DOMAIN.includes(normalizeHostname(requestedUrl))
    ? redirectTo(PUBLIC_URL, c)
    : null;
}

/** Removes a trailing dot, as in DNS, and a leading `www.`. */
const normalizeHostname = (hostname: string) => hostname.replace(/^www\.|\.$/g, '');

/** A browser gets a page with the sentence, a program the code. */
function wrongHostResponse({ env: { incoming } }: HttpContext): Response {
  if (!incoming.headers.accept?.includes('text/html')) return errorResponse('WRONG_HOST');
  const page = `<!doctype html><html lang="it"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${errorSentences.WRONG_HOST}</title><h1>${errorSentences.WRONG_HOST}</h1>`;
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };
  return new Response(incoming.method === 'HEAD' ? null : page, { status: ERROR_STATUS.WRONG_HOST, headers });
}

/** Redirects to the same path at `address`. */
export function redirectTo(address: string, c: HttpContext): Response {
  const { pathname, search } = new URL(c.req.url);
  const Location = `${new URL(address).origin}${pathname}${search}`;
  return new Response(null, { status: 308, headers: { Location, 'Cache-Control': 'no-store' } });
}

/**
 * Returns true if `host` belongs to the site. With PUBLIC_URL only its host and this machine's names do; while the server handles HTTPS
 * itself, each only at its own listener.
 */
function isOurHost({ PUBLIC_URL, HTTPS_DOMAIN, listener }: Settings, host: string | undefined): boolean {
  if (PUBLIC_URL === undefined) return true;
  const siteUrl = new URL(PUBLIC_URL);
  // The Host header may name the default port of PUBLIC_URL's protocol.
  const requestedUrl = hostOf(`${siteUrl.protocol}//${host ?? ''}`);
  if (requestedUrl === null) return false;
  const isLocal = LOCAL_NAMES.has(requestedUrl.hostname);
  if (HTTPS_DOMAIN === undefined) return requestedUrl.host === siteUrl.host || isLocal;
  return listener === 'machine' ? isLocal : requestedUrl.host === siteUrl.host;
}

/**
 * Returns true if `Origin` is one of the site's pages. It must equal that of PUBLIC_URL; without one, and at the machine's own listener,
 * that of the requested host with either scheme, because TLS may end at an unknown proxy.
 */
function isOurOrigin({ PUBLIC_URL, listener }: Settings, headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return false;
  if (PUBLIC_URL !== undefined && listener === undefined) return origin === new URL(PUBLIC_URL).origin;
  return origin === `http://${host}` || origin === `https://${host}`;
}

/** A text/plain beacon under `no-referrer` has `Origin: null`. `Sec-Fetch-Site`, which pages can't set, decides then. */
function isOurBeacon(env: Settings, headers: IncomingHttpHeaders): boolean {
  return (
    isOurOrigin(env, headers) || (headers.origin === 'null' && headers['sec-fetch-site'] === 'same-origin')
  );
}

/** Passes only requests that `isOurOrigin` accepts. */
export const requireSameOrigin = (env: Settings): Middleware => onlyIf(isOurOrigin, env);

/** Passes only requests that `isOurBeacon` accepts. */
export const requireSameOriginBeacon = (env: Settings): Middleware => onlyIf(isOurBeacon, env);

function onlyIf(isAllowed: typeof isOurOrigin, env: Settings): Middleware {
  return async (c, next) =>
    isAllowed(env, c.env.incoming.headers) ? next() : errorResponse('FORBIDDEN_ORIGIN');
}

function hostOf(url: string): URL | null {
  return URL.canParse(url) ? new URL(url) : null;
}
