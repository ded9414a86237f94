import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import type { visitContract } from '../../contract/visit.ts';
import { randomUuid } from '../random-uuid.ts';
import { type RequestResult, request } from './request.ts';

/*
 * The visitor's calls by hand on `fetch`: oRPC's client alone is 8.7 kB gzipped, half of what is left of the access screen's
 * budget. The shapes are the contract's; a test compares methods and paths with it.
 */
type Inputs = InferContractRouterInputs<typeof visitContract>;
type Outputs = InferContractRouterOutputs<typeof visitContract>;
type Reply<Call extends keyof Outputs> = Promise<RequestResult<Outputs[Call]>>;

export type Site = Outputs['site'];
export type ExitMark = Pick<Inputs['trackUserExit'], 'state' | 'exitPoint'>;
export type ReportedErrorKind = Inputs['reportError']['kind'];

/** The page's own life: from its being loaded, or brought back from the browser's memory, until it says farewell. Goes with every call. */
let life = randomUuid();

/** The page is back after its farewell: what is asked from now on is asked by somebody who is there. */
export function renewPageLoadId(): void {
  life = randomUuid();
}

/** State of the access screen: closed, graduation day, a visit to take up again. */
export const site = (): Reply<'site'> => request('GET', '/site');

/** Enters with a code. The same `attempt_id` is the same entry, however often it is sent. */
export const enter = (body: Omit<Inputs['enter'], 'life'>): Reply<'enter'> =>
  request('POST', '/access', { body: { ...body, life } });

/** Opens the visit or comes back to it; counts nothing. */
export const resume = (): Reply<'resume'> => request('POST', '/visit/resume', { body: { life } });

/** A stage, phrase or second begins. */
export const position = (body: Omit<Inputs['position'], 'life'>): Reply<'position'> =>
  request('POST', '/visit/position', { body: { ...body, life } });

/** Still here; the answer tells whether the visit is still open. */
export const heartbeat = (): Reply<'heartbeat'> => request('POST', '/visit/heartbeat', { body: { life } });

/** Both answers of a trip. Outlives the page. */
export const answers = (body: Omit<Inputs['answers'], 'life'>): Reply<'answers'> =>
  request('POST', '/visit/answers', { body: { ...body, life }, keepalive: true });

/** The evening is over. */
export const complete = (): Reply<'complete'> =>
  request('POST', '/visit/complete', { body: { life }, keepalive: true });

/** Tells the administrator about an error the visitor saw. */
export const reportError = (kind: ReportedErrorKind): Reply<'reportError'> =>
  request('POST', '/visit/error', { body: { kind }, keepalive: true });

let lastMark = 0;

/** Marks that the page is hidden or left. Works while the page goes away; nobody waits for the answer. */
export function trackUserExit(mark: ExitMark): void {
  lastMark = Math.max(lastMark + 1, Date.now());
  const body = JSON.stringify({ ...mark, timestamp: new Date().toISOString(), seq: lastMark, life });
  const path = '/api/visit/track-user-exit';
  // text/plain: the only type a beacon may carry everywhere without asking first.
  const sent = navigator.sendBeacon?.(path, new Blob([body], { type: 'text/plain' })) ?? false;
  if (sent) return;
  fetch(path, { method: 'POST', body, keepalive: true, headers: { 'content-type': 'text/plain' } }).catch(
    () => {},
  );
}
