import { Agent, type IncomingMessage, request } from 'node:http';

/** What came back. */
export type Reply = {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the server says
  body: any;
  text: string;
  /** The cookies it sets, ready to be sent back; '' for none. */
  cookie: string;
};

/** Nothing whole came back: what the server did is not known. */
export class NoReply extends Error {
  override name = 'NoReply';
}

export type Sending = {
  cookie?: string | undefined;
  /** The address that a trusted proxy says the request comes from. */
  from?: string | undefined;
};

export type Client = {
  /** Sends a JSON body to a path under `/api`, such as our own pages do. Rejects with `NoReply`. */
  post(url: string, path: string, body: unknown, sending?: Sending): Promise<Reply>;
  close(): void;
};

/** A client with so many connections at most; they are kept alive unless every request shall have one of its own. */
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
