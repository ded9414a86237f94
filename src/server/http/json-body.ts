import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isRefused, type Refusal, refuse } from '../refused.ts';
import { errorResponse } from './refusals.ts';
import type { HttpContext, Middleware } from './request-context.ts';

/** Maximum JSON body in bytes. */
export const MAX_BODY = 64 * 1024;
/** Maximum for calls with all texts of an evening: two full phrase lists (`MAX_LENGTH`) at three bytes per character. */
export const MAX_LONG_BODY = 4 * 1024 ** 2;
const MAX_DEPTH = 20;

/** Accepted media types of a JSON body. */
type Form = 'json' | 'text';
const TYPES: Record<Form, string> = { json: 'application/json', text: 'text/plain' };

/** Passes only requests whose headers announce a readable body. */
export function requireContentType(...forms: readonly Form[]): Middleware {
  const types = forms.map((form) => TYPES[form]);
  return async (c, next) =>
    isReadable(c.req.method, c.env.incoming.headers, types) ? next() : errorResponse('UNSUPPORTED_TYPE');
}

/** Returns true for an uncompressed body of one of these types in UTF-8. A DELETE may have no body. */
function isReadable(method: string, headers: IncomingHttpHeaders, types: readonly string[]): boolean {
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') return false;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (method === 'DELETE' && !hasBody && headers['content-type'] === undefined) return true;
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const utf8 = parameters.every(
    (parameter) => !parameter.startsWith('charset=') || /^charset="?utf-8"?$/.test(parameter),
  );
  return types.includes(type) && utf8;
}

/** Returns null if this request's body may be longer, otherwise the refusal. Called before the body is read. */
export type AllowLongBody = (c: HttpContext) => Promise<Refusal | null>;

/** Reads the body up to its limit. Rejects if the client disconnects before the end. */
export function readBodyUpTo(longerFor: AllowLongBody | null = null): Middleware {
  return async (c, next) => {
    const { incoming } = c.env;
    const long = longerFor !== null && !isShort(incoming);
    const refused = long ? await longerFor(c) : null;
    if (refused !== null) return errorResponse(refused.refused);
    const bytes = await readBody(incoming, long ? MAX_LONG_BODY : MAX_BODY);
    if (isRefused(bytes)) return errorResponse(bytes.refused);
    c.set('bytes', bytes);
    return next();
  };
}

/** True for most bodies, from their Content-Length: these need no check for longer ones. */
const isShort = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? Infinity) <= MAX_BODY;

/** Reads the body. Stops at `limit`, also if Content-Length announces more. */
function readBody(incoming: IncomingMessage, limit: number): Promise<Buffer | Refusal<'BODY_TOO_LARGE'>> {
  if (Number(incoming.headers['content-length'] ?? 0) > limit)
    return Promise.resolve(refuse('BODY_TOO_LARGE'));
  if (incoming.destroyed) return Promise.reject(new ClientDisconnected());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (result: Buffer | Refusal<'BODY_TOO_LARGE'>) => {
      incoming.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve(result);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) settle(refuse('BODY_TOO_LARGE'));
      else chunks.push(chunk);
    };
    const onEnd = () => settle(Buffer.concat(chunks));
    const onClose = () => reject(new ClientDisconnected());
    incoming.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** The client disconnected before its request was complete; there is no one to answer. */
export class ClientDisconnected extends Error {
  override name = 'ClientDisconnected';
}

/** Parses the body once for the following handlers. */
export const parseJsonBody: Middleware = async (c, next) => {
  const json = parseJson(c.get('bytes'));
  if (isRefused(json)) return errorResponse(json.refused);
  c.set('body', json.value);
  return next();
};

/**
 * Parses a JSON object; an empty body is `undefined`. Refuses invalid UTF-8 and JSON, other values than objects (no call accepts them),
 * nesting deeper than 20, keys that reach an object's prototype, and strings that databases can't store (NUL, unpaired surrogates).
 */
function parseJson(bytes: Buffer): { value: unknown } | Refusal<'BAD_INPUT'> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = text === '' ? undefined : JSON.parse(text);
    return isObjectOrNothing(value) && isHarmless(value, MAX_DEPTH) ? { value } : refuse('BAD_INPUT');
  } catch {
    return refuse('BAD_INPUT');
  }
}

const isObjectOrNothing = (value: unknown) =>
  value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value));

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
