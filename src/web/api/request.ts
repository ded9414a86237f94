import { networkTexts } from '../../texts/dates.ts';
import { ApiError, noAnswerError, parseApiError } from './failure.ts';

export type RequestResult<T> = { ok: true; value: T } | { ok: false; failure: ApiError };

export type RequestOptions = {
  body?: unknown /** Completes even if the page is unloaded. */;
  keepalive?: boolean;
};

type Answer = { status: number; ok: boolean; text: string };

/** Timeout of a call, in ms; the call then counts as lost. */
const TIMEOUT_MS = 15_000;

/** Sends one call under `/api`. Never throws. */
export async function request<T>(
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<RequestResult<T>> {
  try {
    const sent = { ...requestInit(method, options), signal: AbortSignal.timeout(TIMEOUT_MS) };
    const answer = await answerOf(fetch(`/api${path}`, sent));
    return answer === null ? { ok: false, failure: noAnswerError() } : toResult<T>(answer);
  } catch (error) {
    console.error(error);
    return { ok: false, failure: new ApiError('INTERNAL', networkTexts.unexpected) };
  }
}

/** Returns null if the request failed: only this case is the network's fault. */
async function answerOf(request: Promise<Response>): Promise<Answer | null> {
  try {
    const response = await request;
    return { status: response.status, ok: response.ok, text: await response.text() };
  } catch {
    return null;
  }
}

function requestInit(method: string, { body, keepalive = false }: RequestOptions): RequestInit {
  const shared: RequestInit = { method, keepalive, cache: 'no-store' };
  if (body === undefined) return shared;
  return { ...shared, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function toResult<T>({ status, ok, text }: Answer): RequestResult<T> {
  const value = parsed(text);
  // The cast relies on the contract: the server validates its replies.
  if (ok && value !== UNREADABLE) return { ok: true, value: value as T };
  return { ok: false, failure: parseApiError(ok ? undefined : value, status) };
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
