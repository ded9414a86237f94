import { type Agent, get, type IncomingMessage } from 'node:http';

/** A received live channel. */
export type LiveChannel = {
  response: IncomingMessage;
  /** Returns the text received up to now. */
  text(): string;
  /** Resolves with the complete text when the server ends the channel; rejects if it was cut off. */
  ended: Promise<string>;
  close(): void;
};

/** Opens the visit's live channel. Resolves at its first message, rejects if the reply is not a stream. */
export function listen(url: string, cookie: string, agent?: Agent): Promise<LiveChannel> {
  return listenAt(`${url}/api/visit/events`, cookie, agent);
}

/** Opens any live channel, with additional headers. */
export function listenAt(
  address: string,
  cookie: string,
  agent?: Agent,
  headers: Record<string, string> = {},
): Promise<LiveChannel> {
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
      // A caller that closes the channel does not await its end.
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
