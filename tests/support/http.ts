import { connect } from 'node:net';
import type { Dispatcher } from 'undici';

/** A reply to a call. */
export type Answered = {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the server says
  body: any;
  text: string;
  /** The cookies of the reply, ready to send; '' for none. */
  cookie: string;
};

export type Sending = {
  cookie?: string | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  dispatcher?: Dispatcher;
};

/**
 * Sends one request under `/api`, like the site's own pages. Texts, bytes and streams are sent as they are, other
 * bodies as JSON; without `body` no body is sent.
 */
export async function call(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  { cookie, headers: more, ...sending }: Sending = {},
): Promise<Answered> {
  const headers = new Headers({ origin: new URL(url).origin, ...more });
  if (cookie) headers.set('cookie', cookie);
  if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
  const isRaw = typeof body === 'string' || body instanceof Buffer || body instanceof ReadableStream;
  const init: object = { method, headers, duplex: 'half', redirect: 'manual', ...sending };
  const sent = body === undefined ? init : { ...init, body: isRaw ? body : JSON.stringify(body) };
  return answered(await fetch(`${url}/api${path}`, sent as RequestInit));
}

/** Reads a reply. */
export async function answered(response: Response): Promise<Answered> {
  const text = await response.text();
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]);
  const { status, headers } = response;
  return { status, headers, text, cookie: cookies.join('; '), body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends exactly this text; resolves with everything received until the server closes. */
export function raw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}
