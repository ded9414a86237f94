import type { SignedIn } from './actor.ts';

/** Sign-in as the rest of the server knows it; made by `createAuth`. */
export type Auth = {
  /** Answers a request under `/api/auth`. `address` is the client's, trusted proxies taken into account. */
  handle(request: Request, address: string): Promise<Response>;
  /** The living session of these headers' cookie, or null. Being asked counts as activity. */
  readSession(headers: Headers): Promise<SignedIn | null>;
  /** May an administrator still register? */
  registrationOpen(): Promise<boolean>;
};
