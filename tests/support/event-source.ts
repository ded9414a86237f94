import { type Agent, get, type IncomingMessage } from 'node:http';

/** A live channel as it was heard. */
export type Heard = {
  response: IncomingMessage;
  /** What has come so far. */
  text(): string;
  /** The whole of it, once the server has ended it; rejects when it was cut off instead. */
  ended: Promise<string>;
  close(): void;
};

/** Opens the visit's live channel; resolves when its first message is there, rejects when it isn't a stream. */
export function listen(url: string, cookie: string, agent?: Agent): Promise<Heard> {
  return listenAt(`${url}/api/visit/events`, cookie, agent);
}

/** The same with another channel, and other headers. */
export function listenAt(
  address: string,
  cookie: string,
  agent?: Agent,
  headers: Record<string, string> = {},
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const request = get(address, { headers: { cookie, ...headers }, ...(agent && { agent }) });
    request.on('error', reject);
    request.on('response', (response) => {
      const { statusCode, headers } = response;
      if (statusCode !== 200) {
        request.destroy();
        reject(new Error(`The live channel answers ${statusCode} ${headers['content-type'] ?? ''}`));
        return;
      }
      let text = '';
      const ended = whole(response.setEncoding('utf8'), () => text);
      // Whoever closes it doesn't wait for its end.
      ended.catch(() => undefined);
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.includes('event: ping'))
          resolve({ response, text: () => text, ended, close: () => request.destroy() });
      });
    });
  });
}

function whole(response: IncomingMessage, text: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    response.once('close', () => {
      if (response.complete) resolve(text());
      else reject(new Error(`The live channel was cut off after:\n${text()}`));
    });
    response.on('error', reject);
  });
}
