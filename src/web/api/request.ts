import { type Failure, failureIn, lost } from './failure.ts';

export type Outcome<T> = { ok: true; value: T } | { ok: false; failure: Failure };

export type RequestOptions = { body?: unknown /** Survives the page. */; keepalive?: boolean };

/** A call waits this long, in milliseconds, before it counts as lost. */
const TIMEOUT_MS = 15_000;

/** Sends one call under `/api` and never throws. */
export async function request<T>(
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Outcome<T>> {
  try {
    const response = await fetch(`/api${path}`, {
      ...init(method, options),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return outcome<T>(response.status, response.ok, await response.text());
  } catch {
    return { ok: false, failure: lost() };
  }
}

function init(method: string, { body, keepalive = false }: RequestOptions): RequestInit {
  const shared: RequestInit = { method, keepalive, cache: 'no-store' };
  if (body === undefined) return shared;
  return { ...shared, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function outcome<T>(status: number, ok: boolean, text: string): Outcome<T> {
  const value = parsed(text);
  // The contract's word: the server checks what it sends.
  if (ok && value !== UNREADABLE) return { ok: true, value: value as T };
  return { ok: false, failure: failureIn(ok ? undefined : value, status) };
}

const UNREADABLE = Symbol('unreadable');

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return UNREADABLE;
  }
}
