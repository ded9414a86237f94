import { Agent, type IncomingMessage, request } from 'node:http';

/** A reply of the server. */
export type Reply = {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the server says
  body: any;
  text: string;
  /** The cookies of the reply, ready to send; '' for none. */
  cookie: string;
};

/** No complete reply arrived: the effect on the server is unknown. */
export class NoReply extends Error {
  override name = 'NoReply';
}

export type Sending = {
  cookie?: string | undefined;
  /** Client address that a trusted proxy reports. */
  from?: string | undefined;
};

export type Client = {
  /** Posts a JSON body to a path under `/api`, like the site's own pages. Rejects with `NoReply`. */
  post(url: string, path: string, body: unknown, sending?: Sending): Promise<Reply>;
  close(): void;
};

/** Creates a client with this many connections at most; `keepAlive: false` opens one per request. */
export function createClient(connections: number, { keepAlive = true } = {}): Client {
  const agent = new Agent({ keepAlive, maxSockets: connections });
  return {
    post: (url, path, body, sending = {}) => post(agent, url, path, JSON.stringify(body), sending),
    close: () => agent.destroy(),
  };
}

function post(agent: Agent, url: string, path: string, body: string, sending: Sending): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const lost = (error: Error) => reject(new NoReply(error.message));
    const sent = request(`${url}/api${path}`, {
      agent,
      method: 'POST',
      headers: headersOf(url, body, sending),
    });
    sent.on('error', lost);
    sent.on('response', (response) => void read(response).then(resolve, lost));
    sent.end(body);
  });
}

function headersOf(url: string, body: string, { cookie, from }: Sending): Record<string, string> {
  return {
    origin: url,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...(cookie === undefined ? {} : { cookie }),
    ...(from === undefined ? {} : { 'x-forwarded-for': from }),
  };
}

async function read(response: IncomingMessage): Promise<Reply> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  const cookie = (response.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
  return { status: response.statusCode ?? 0, text, cookie, body: text === '' ? undefined : JSON.parse(text) };
}
