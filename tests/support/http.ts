import { connect } from 'node:net';

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

export type Sending = { cookie?: string | undefined; headers?: Record<string, string>; signal?: AbortSignal };

/** Sends one request under `/api`, like the site's own pages. Without `body` no body is sent. */
export async function call(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  sending: Sending = {},
): Promise<Answered> {
  const headers = new Headers({ origin: new URL(url).origin, ...sending.headers });
  if (sending.cookie) headers.set('cookie', sending.cookie);
  if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body: text }),
    ...(sending.signal === undefined ? {} : { signal: sending.signal }),
  });
  return answered(response);
}

async function answered(response: Response): Promise<Answered> {
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
