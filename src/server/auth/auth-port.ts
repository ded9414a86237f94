import type { Refusal } from '../refused.ts';
import type { AdminSession } from './actor.ts';

/** Sign-in as the rest of the server uses it; created by `createAuth`. */
export type Auth = {
  /**
   * Answers a request under `/api/auth`; refusals have the form `{ codice, messaggio }`. `body` is the parsed JSON, `address` the client's
   * address behind trusted proxies. Rejects if the database is unavailable.
   */
  handle(input: { request: Request; body: unknown; address: string }): Promise<Response>;
  /** Returns the valid session of the cookie in `headers`, or null. Counts as activity unless `quietly` is set. */
  readSession(headers: Headers, options?: { quietly: boolean }): Promise<AdminSession | null>;
  /** Returns true if there is no administrator and no content. */
  isNew(): Promise<boolean>;
  /** Returns true if an administrator can still register. */
  registrationOpen(): Promise<boolean>;
  /**
   * Returns null if the caller may set up this install, as the first registrant may; otherwise the refusal. It is refused if a setup code
   * is required and wrong; wrong codes count as failed sign-ins.
   */
  refuseSetUp(input: {
    headers: Headers;
    address: string;
    setup_code: string | undefined;
  }): Promise<Refusal<'SETUP_CODE_WRONG' | 'TOO_MANY_ATTEMPTS'> | null>;
  /** Returns the code that registration requires under this host, or null if it requires none. */
  setupCode(host: string | null): string | null;
};
