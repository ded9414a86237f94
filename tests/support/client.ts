import { Agent } from 'undici';
import { type Answered, call } from './http.ts';

/** A reply of the server. */
export type Reply = Answered;

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

/** Creates a client with this many connections at most. */
export function createClient(connections: number): Client {
  const dispatcher = new Agent({ connections });
  return {
    async post(url, path, body, { cookie, from } = {}) {
      const headers: Record<string, string> = from === undefined ? {} : { 'x-forwarded-for': from };
      return call(url, 'POST', path, body, { cookie, headers, dispatcher }).catch((cause: unknown) => {
        throw new NoReply('No complete reply', { cause });
      });
    },
    close: () => void dispatcher.destroy(),
  };
}
