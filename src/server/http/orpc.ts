import type { Socket } from 'node:net';
import { implement } from '@orpc/server';
import { contract } from '../../contract/contract.ts';
import type { Deps } from '../deps.ts';
import type { PassCookie } from './cookies.ts';

/** Context of a call: the request's data and the server's dependencies. */
export type RequestContext = {
  deps: Deps;
  request_id: string;
  /** The client's address behind trusted proxies. */
  address: string;
  user_agent: string;
  connection: Socket;
  cookies: { visit: string | null } & Record<PassCookie, string | null>;
  headers: Headers;
  /** Sets the visitor cookie. */
  setVisitCookie(secret: string): void;
  clearVisitCookie(): void;
  /** Sets a pass cookie until the pass ends. */
  setPassCookie(of: PassCookie, pass: string, ends: Date): void;
  clearPassCookie(of: PassCookie): void;
  /** Clears the browser's cache, so that nothing of the evening stays on the device. */
  clearSiteData(): void;
};

/** Builder for the contract's handlers: `os.visit.enter.handler(…)`. */
export const os = implement(contract).$context<RequestContext>();
