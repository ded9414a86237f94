import type { Socket } from 'node:net';
import { implement } from '@orpc/server';
import { contract } from '../../contract/contract.ts';
import type { Deps } from '../deps.ts';
import type { PassCookie } from './cookies.ts';

/** What a call knows of the request it answers. */
export type RequestContext = {
  deps: Deps;
  request_id: string;
  /** The client's address, whatever proxies we trust stand between. */
  address: string;
  user_agent: string;
  connection: Socket;
  cookies: { visit: string | null } & Record<PassCookie, string | null>;
  headers: Headers;
  /** Gives the visitor cookie to the browser. */
  setVisitCookie(secret: string): void;
  clearVisitCookie(): void;
  /** Gives a pass to the browser, for as long as it is good. */
  setPassCookie(of: PassCookie, pass: string, ends: Date): void;
  clearPassCookie(of: PassCookie): void;
  /** Asks the browser to forget what it cached: nothing of the evening stays on the device. */
  clearSiteData(): void;
};

/** The contract, waiting for its handlers: `os.visit.enter.handler(…)`. */
export const os = implement(contract).$context<RequestContext>();
