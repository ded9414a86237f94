import type { Refusal } from '../refused.ts';
import type { AdminSession } from './actor.ts';

/** Sign-in as the rest of the server knows it; made by `createAuth`. */
export type Auth = {
  /**
   * Answers a request under `/api/auth`, refusals as `{ codice, messaggio }`. `body` is its JSON, `address` the client's, trusted proxies
   * taken into account. Rejects when the database can't answer.
   */
  handle(asked: { request: Request; body: unknown; address: string }): Promise<Response>;
  /** The living session of these headers' cookie, or null. Being asked counts as activity, unless it is done quietly. */
  readSession(headers: Headers, how?: { quietly: boolean }): Promise<AdminSession | null>;
  /** Has nobody registered, and is nothing prepared? */
  isNew(): Promise<boolean>;
  /** May an administrator still register? */
  registrationOpen(): Promise<boolean>;
  /**
   * May whoever asks make this install what they want, as who registers first does? Null, or why not: they don't know the setup code, where one is
   * needed; guesses are counted with those of signing in.
   */
  refuseSetUp(asked: {
    headers: Headers;
    address: string;
    setup_code: string | undefined;
  }): Promise<Refusal<'SETUP_CODE_WRONG' | 'TOO_MANY_ATTEMPTS'> | null>;
  /** The code that registering needs under this host, or null where it needs none. */
  setupCode(host: string | null): string | null;
};
