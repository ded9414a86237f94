import { Agent, type IncomingMessage, request } from 'node:http';

export type LoadRequest = { method: string; path: string; headers?: Record<string, string>; body?: object };
export type Answer = { status: number; bytes: number; text: string; cookie: string };

/** An agent that keeps this many connections. */
export const agentFor = (atOnce: number): Agent => new Agent({ keepAlive: true, maxSockets: atOnce });

/** Sends a request and reads its reply completely. `keep`: also returns its text, which costs the client time. */
export function ask(
  url: string,
  loadRequest: LoadRequest,
  agent: Agent,
  { keep = false } = {},
): Promise<Answer> {
  const { method, path, headers, body } = loadRequest;
  const text = body === undefined ? '' : JSON.stringify(body);
  const json =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': text.length };
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(path, url),
      { method, agent, headers: { origin: url, ...json, ...headers } },
      (answer) => {
        let bytes = 0;
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (keep) chunks.push(chunk);
        });
        answer.once('error', reject);
        answer.once('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            bytes,
            text: Buffer.concat(chunks).toString(),
            cookie: cookieOf(answer),
          }),
        );
      },
    );
    sent.once('error', reject);
    sent.end(text);
  });
}

const cookieOf = ({ headers }: IncomingMessage) =>
  (headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0]).join('; ');

/** A client with keep-alive connections. */
export type LoadClient = {
  ask(url: string, loadRequest: LoadRequest): Promise<Pick<Answer, 'status' | 'bytes'>>;
  end(): void;
};

function createNodeClient(atOnce: number): LoadClient {
  const agent = agentFor(atOnce);
  return { ask: (url, loadRequest) => ask(url, loadRequest, agent), end: () => agent.destroy() };
}

export type Times = { seconds: number; times: number[]; bytes: number };

/** Time limit of a row in ms, on any machine. */
const LIMIT_MS = 8_000;

/**
 * Sends `count` requests, or as many as the time allows, `atOnce` at a time, to the nodes in turn. Throws if one fails.
 */
export async function inParallel(
  urls: readonly [string, ...string[]],
  { count, atOnce }: { count: number; atOnce: number },
  make: (n: number) => LoadRequest,
  client = createNodeClient(atOnce),
): Promise<Times> {
  const times: number[] = [];
  let [next, bytes] = [0, 0];
  const began = performance.now();
  const worker = async () => {
    while (next < count && performance.now() - began < LIMIT_MS) {
      const n = next++;
      const loadRequest = make(n);
      const sentAt = performance.now();
      const answer = await client.ask(urls[n % urls.length] ?? urls[0], loadRequest);
      if (answer.status >= 400) throw new Error(`${loadRequest.path} was answered with ${answer.status}`);
      times.push(performance.now() - sentAt);
      bytes += answer.bytes;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const seconds = (performance.now() - began) / 1_000;
  client.end();
  return { seconds, times, bytes };
}

/** Returns the value below which this share of the values is. @param part from 0 to 1 */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
