import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { parseAccept } from 'hono/utils/accept';
import { ERROR_STATUS } from '../../contract/errors.ts';
import { errorSentences } from '../../texts/errors.ts';
import type { Env } from '../env.ts';
import { isRefused, type Refusal } from '../refused.ts';
import { isHttps } from './address.ts';
import { ClientDisconnected, errorResponse } from './refusals.ts';
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
function redirectToSite({ PUBLIC_URL, HTTPS_DOMAIN = [], listener }: Settings, c: HttpContext) {
  const isRead = ['GET', 'HEAD'].includes(c.req.method);
  if (listener !== undefined || PUBLIC_URL === undefined || !isRead) return null;
  const requested = URL.parse(`http://${c.env.incoming.headers.host}`)?.hostname ?? '';
  const site = new URL(PUBLIC_URL).hostname;
  const name = normalizeHostname(requested);
  const isAnother = requested !== site && name === normalizeHostname(site);
  return isAnother || HTTPS_DOMAIN.includes(name) ? redirectTo(PUBLIC_URL, c) : null;
}

/** Removes a trailing dot, as in DNS, and a leading `www.`. */
const normalizeHostname = (hostname: string) => hostname.replace(/^www\.|\.$/g, '');

/** A browser gets a page with the sentence, a program the code. */
function wrongHostResponse({ env: { incoming } }: HttpContext): Response {
  if (!incoming.headers.accept?.includes('text/html')) return errorResponse('WRONG_HOST');
  const page = `<!doctype html><html lang="it"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${errorSentences.WRONG_HOST}</title><h1>${errorSentences.WRONG_HOST}</h1>`;
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };
  return new Response(page, { status: ERROR_STATUS.WRONG_HOST, headers });
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
  const requestedUrl = URL.parse(`${siteUrl.protocol}//${host ?? ''}`);
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

/**
 * Passes only requests that `isOurOrigin` accepts. A text/plain beacon under `no-referrer` has `Origin: null`: `Sec-Fetch-Site`, which pages
 * can't set, decides then.
 */
export function requireSameOrigin(env: Settings, isBeacon: boolean): Middleware {
  return async (c, next) => {
    const { headers } = c.env.incoming;
    const isOurBeacon = headers.origin === 'null' && headers['sec-fetch-site'] === 'same-origin';
    const isAllowed = isOurOrigin(env, headers) || (isBeacon && isOurBeacon);
    return isAllowed ? next() : errorResponse('FORBIDDEN_ORIGIN');
  };
}

/** Maximum JSON body in bytes. */
export const MAX_BODY = 64 * 1024;
/** Maximum for calls with all texts of an evening: two full phrase lists (`MAX_LENGTH`) at three bytes per character. */
export const MAX_LONG_BODY = 4 * 1024 ** 2;
const MAX_DEPTH = 20;

/** Returns true for an uncompressed body of one of these types in UTF-8. A DELETE may have no body. */
function isReadable(method: string, headers: IncomingHttpHeaders, types: readonly string[]): boolean {
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') return false;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (method === 'DELETE' && !hasBody && headers['content-type'] === undefined) return true;
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const utf8 = parameters.every((each) => /^(?!charset=)|^charset="?utf-8"?$/.test(each));
  return types.includes(type) && utf8;
}

/** Returns a refusal unless this request's body may be longer. Called before the body is read. */
export type AllowLongBody = (c: HttpContext) => Promise<Refusal | Record<string, unknown>>;

/** Reads and parses the body once for the following handlers. Rejects if the client disconnects before the end. */
export function readJsonBody(types: readonly string[], longerFor: AllowLongBody | null): Middleware {
  return async (c, next) => {
    const { incoming } = c.env;
    if (!isReadable(c.req.method, incoming.headers, types)) return errorResponse('UNSUPPORTED_TYPE');
    // Most bodies have a Content-Length that needs no check for longer ones.
    const length = Number(incoming.headers['content-length'] ?? Infinity);
    const long = longerFor !== null && length > MAX_BODY;
    const granted = long ? await longerFor(c) : null;
    if (isRefused(granted)) return errorResponse(granted.refused);
    const bytes = await readBody(incoming, long ? MAX_LONG_BODY : MAX_BODY);
    if (bytes === null) return errorResponse('BODY_TOO_LARGE');
    const parsed = parseJson(bytes);
    if (parsed === null) return errorResponse('BAD_INPUT');
    c.set('body', parsed.body);
    return next();
  };
}

/** Reads the body; null if it is longer than `limit`, or Content-Length announces more. */
function readBody(incoming: IncomingMessage, limit: number): Promise<Buffer | null> {
  if (Number(incoming.headers['content-length'] ?? 0) > limit) return Promise.resolve(null);
  if (incoming.destroyed) return Promise.reject(new ClientDisconnected());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (result: Buffer | null) => {
      incoming.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve(result);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) settle(null);
      else chunks.push(chunk);
    };
    const onEnd = () => settle(Buffer.concat(chunks));
    const onClose = () => reject(new ClientDisconnected());
    incoming.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/**
 * Parses a JSON object; an empty body is `undefined`. Returns null for invalid UTF-8 and JSON, other values than objects (no call accepts
 * them), nesting deeper than 20, keys that reach an object's prototype, and strings that databases can't store (NUL, unpaired surrogates).
 */
export function parseJson(bytes: Buffer): { body: unknown } | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    return (body === undefined || isObject) && isHarmless(body, MAX_DEPTH) ? { body } : null;
  } catch {
    return null;
  }
}

function isHarmless(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isHarmless(item, depth - 1));
  return Object.entries(value).every(
    ([key, item]) => key !== '__proto__' && isStorable(key) && isHarmless(item, depth - 1),
  );
}

/** Returns true if the text has no NUL and no unpaired surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Content security policy of pages: all resources from this site, no framing, no form submission, no markup or script from strings.
 * @param nonce one-time value that permits this response's style tags; without it none are permitted
 */
export function pagePolicy(env: Settings, nonce?: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    nonce === undefined ? "style-src 'self'" : `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    ...(isHttps(env) ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/** A file opened as a page runs no script. Browsers refuse to show a PDF in a sandbox, so PDFs have none. */
export const FILE_POLICY = {
  pdf: "default-src 'none'; frame-ancestors 'none'",
  other:
    "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
} as const;

const PERMISSIONS =
  'camera=(), microphone=(), geolocation=(), payment=(), usb=(), fullscreen=(self), autoplay=(self), screen-wake-lock=(self)';

/** Returns the headers of every response: page, call, file, stream or error. */
export function securityHeaders(env: Settings): Record<string, string> {
  return {
    'Content-Security-Policy': pagePolicy(env),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': PERMISSIONS,
    'X-Robots-Tag': 'noindex, nofollow',
    // Without includeSubDomains: subdomains may belong to others.
    ...(isHttps(env) ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
  };
}

/** Returns the types or encodings that an `Accept` header names with a positive quality; ranges with `*` are never equal to a type. */
export function acceptedTypes(accept = ''): Set<string> {
  const accepted = parseAccept(accept).filter(({ q }) => q > 0);
  return new Set(accepted.map(({ type }) => type.toLowerCase()));
}
