import type { ErrorBody } from '../../contract/errors.ts';
import { networkTexts } from '../../texts/network.ts';

/** A call that didn't do what was asked. `messaggio` is the Italian sentence to show. */
export type Failure =
  /** The server said no, for a reason of the closed list. */
  | ({ kind: 'refused'; status: number } & ErrorBody)
  /** No answer in time: whether the server did it is unknown. */
  | { kind: 'network'; messaggio: string }
  /** An answer that isn't our server's (a proxy's page) or can't be read: unknown, too. */
  | { kind: 'unreadable'; status: number; messaggio: string };

export type Outcome<T> = { ok: true; value: T } | ({ ok: false } & Failure);

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
    return { ok: false, kind: 'network', messaggio: networkTexts.offline };
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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (ok && value !== UNREADABLE) return { ok: true, value: value as T };
  if (!ok && isErrorBody(value)) return { ok: false, kind: 'refused', status, ...value };
  return { ok: false, kind: 'unreadable', status, messaggio: networkTexts.unexpected };
}

const UNREADABLE = Symbol('unreadable');

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return UNREADABLE;
  }
}

function isErrorBody(value: unknown): value is ErrorBody {
  return typeof value === 'object' && value !== null && 'codice' in value && 'messaggio' in value;
}
