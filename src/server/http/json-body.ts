import type { IncomingMessage } from 'node:http';

/** The longest JSON body, in bytes. */
export const MAX_BODY = 64 * 1024;
/** The longest where a whole evening's words may come at once: two full lists of phrases (`MAX_LENGTH`), every sign in three bytes. */
export const MAX_LONG_BODY = 4 * 1024 ** 2;
const MAX_DEPTH = 20;

export type BodyResult<T> = { ok: true; value: T } | { ok: false; refusal: 'BODY_TOO_LARGE' | 'BAD_INPUT' };

/**
 * Reads a body, counting its bytes as they come: what is announced or turns out longer than `limit` is not read to its end.
 * Rejects when the client goes away before the end.
 */
export function readBody(incoming: IncomingMessage, limit = MAX_BODY): Promise<BodyResult<Buffer>> {
  if (Number(incoming.headers['content-length'] ?? 0) > limit)
    return Promise.resolve({ ok: false, refusal: 'BODY_TOO_LARGE' });
  if (incoming.destroyed) return Promise.reject(new ClientGone());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (result: BodyResult<Buffer>) => {
      incoming.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve(result);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) settle({ ok: false, refusal: 'BODY_TOO_LARGE' });
      else chunks.push(chunk);
    };
    const onEnd = () => settle({ ok: true, value: Buffer.concat(chunks) });
    const onClose = () => reject(new ClientGone());
    incoming.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** The client went away before its request was whole: there is nobody to answer. */
export class ClientGone extends Error {
  override name = 'ClientGone';
}

/**
 * The JSON object in bytes. An empty body is `undefined`. Refused are: bytes that are no UTF-8, text that is no JSON, JSON that is no object (no
 * call takes anything else, and beside an address it would go unread), nesting deeper than 20, keys that would reach an object's
 * prototype, and strings that no database stores as they are (NUL, half a surrogate pair).
 */
export function parseJson(bytes: Buffer): BodyResult<unknown> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = text === '' ? undefined : JSON.parse(text);
    return isObjectOrNothing(value) && isHarmless(value, MAX_DEPTH)
      ? { ok: true, value }
      : { ok: false, refusal: 'BAD_INPUT' };
  } catch {
    return { ok: false, refusal: 'BAD_INPUT' };
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

/** No NUL, and every surrogate has its pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
