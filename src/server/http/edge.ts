import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ERROR_STATUS } from '../../contract/errors.ts';
import { errorSentences } from '../../texts/errors.ts';
import type { Env } from '../env.ts';
import { errorResponse } from './refusals.ts';
import type { HttpContext, Middleware } from './scope.ts';

type Settings = Pick<Env, 'PUBLIC_URL' | 'HTTPS_DOMAIN' | 'listener'>;

/** Names under which a machine is asked by itself: health checks come this way. */
const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/** One host is asked for, and it is one: an address out of none, of two or of `1.2.3.4.5` would be anybody's guess. */
export function hasValidHost({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): boolean {
  const [host, ...others] = headersDistinct.host ?? [];
  return host !== undefined && others.length === 0 && URL.canParse(`http://${host}`);
}

/** The step that lets through what is asked of one of our hosts. */
export const requireKnownHost =
  (env: Settings): Middleware =>
  async (c, next) =>
    isOurHost(env, c.env.incoming.headers.host) ? next() : (atOurAddress(env, c) ?? notHere(c));

/** What is asked under another of our names is at the site's address; null where it is none of ours. */
function atOurAddress(
  { PUBLIC_URL, HTTPS_DOMAIN = [], listener }: Settings,
  c: HttpContext,
): Response | null {
  if (listener !== undefined || PUBLIC_URL === undefined || !['GET', 'HEAD'].includes(c.req.method))
    return null;
  const asked = hostOf(`http://${c.env.incoming.headers.host}`)?.hostname ?? '';
  const ours = new URL(PUBLIC_URL).hostname;
  const isAnother = asked !== ours && nameOf(asked) === nameOf(ours);
  return isAnother || HTTPS_DOMAIN.includes(nameOf(asked)) ? redirectTo(PUBLIC_URL, c) : null;
}

/** As DNS may end it, and as people begin it. */
const nameOf = (hostname: string) => hostname.replace(/^www\.|\.$/g, '');

/** Who types an address reads a sentence, a program its code. */
function notHere({ env: { incoming } }: HttpContext): Response {
  if (!incoming.headers.accept?.includes('text/html')) return errorResponse('WRONG_HOST');
  const page = `<!doctype html><html lang="it"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${errorSentences.WRONG_HOST}</title><h1>${errorSentences.WRONG_HOST}</h1>`;
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };
  return new Response(incoming.method === 'HEAD' ? null : page, { status: ERROR_STATUS.WRONG_HOST, headers });
}

/** The same page at the site's own address. */
export function redirectTo(address: string, c: HttpContext): Response {
  const { pathname, search } = new URL(c.req.url);
  const Location = `${new URL(address).origin}${pathname}${search}`;
  return new Response(null, { status: 308, headers: { Location, 'Cache-Control': 'no-store' } });
}

/** With a `PUBLIC_URL`, only its host and this machine's own names are ours; where the product does https itself, each at its own door. */
function isOurHost({ PUBLIC_URL, HTTPS_DOMAIN, listener }: Settings, host: string | undefined): boolean {
  if (PUBLIC_URL === undefined) return true;
  const ours = new URL(PUBLIC_URL);
  // A port that goes without saying may be said.
  const asked = hostOf(`${ours.protocol}//${host ?? ''}`);
  if (asked === null) return false;
  const isLocal = LOCAL_NAMES.has(asked.hostname);
  if (HTTPS_DOMAIN === undefined) return asked.host === ours.host || isLocal;
  return listener === 'machine' ? isLocal : asked.host === ours.host;
}

/**
 * Does a request that changes something come from one of our own pages? The `Origin` must be exactly `PUBLIC_URL`'s; without one, and at
 * the machine's own door, that of the host that was asked (under either scheme: TLS may end at a proxy we know nothing of).
 */
function isOurOrigin({ PUBLIC_URL, listener }: Settings, headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return false;
  if (PUBLIC_URL !== undefined && listener === undefined) return origin === new URL(PUBLIC_URL).origin;
  return origin === `http://${host}` || origin === `https://${host}`;
}

/**
 * A beacon of plain text under `no-referrer` says `Origin: null`: then the browser's own word on where it comes from counts, which no page
 * can write.
 */
function isOurBeacon(env: Settings, headers: IncomingHttpHeaders): boolean {
  return (
    isOurOrigin(env, headers) || (headers.origin === 'null' && headers['sec-fetch-site'] === 'same-origin')
  );
}

/** The step that lets through what `isOurOrigin` knows. */
export const requireSameOrigin = (env: Settings): Middleware => onlyIf(isOurOrigin, env);

/** The step that lets through what `isOurBeacon` knows. */
export const requireSameOriginBeacon = (env: Settings): Middleware => onlyIf(isOurBeacon, env);

function onlyIf(isOurs: typeof isOurOrigin, env: Settings): Middleware {
  return async (c, next) =>
    isOurs(env, c.env.incoming.headers) ? next() : errorResponse('FORBIDDEN_ORIGIN');
}

function hostOf(url: string): URL | null {
  return URL.canParse(url) ? new URL(url) : null;
}
