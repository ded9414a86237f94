import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import type { visitContract } from '../../contract/visit.ts';
import { randomUuid } from '../random-uuid.ts';
import { type RequestResult, request } from './request.ts';

/*
 * Calls `fetch` directly: oRPC's client alone is 8.7 kB gzipped, half of the access screen's remaining budget. Types come from the
 * contract; a test compares methods and paths with it.
 */
type Inputs = InferContractRouterInputs<typeof visitContract>;
type Outputs = InferContractRouterOutputs<typeof visitContract>;
type Reply<Call extends keyof Outputs> = Promise<RequestResult<Outputs[Call]>>;

export type Site = Outputs['site'];
export type ExitMark = Pick<Inputs['trackUserExit'], 'state' | 'exitPoint'>;
export type ReportedErrorKind = Inputs['reportError']['kind'];

/** Page load id, sent with every call. Changes when the page is loaded or restored from the browser's memory after its exit report. */
let pageLoadId = randomUuid();

/** Starts a new page load id for a page that is back after its exit report. Its calls then count as presence. */
export function renewPageLoadId(): void {
  pageLoadId = randomUuid();
}

/** Reads the state of the access screen: closed, graduation day, resumable visit. */
export const site = (): Reply<'site'> => request('GET', '/site');

/** Enters with a code. Repeating an `attempt_id` repeats the same entry. */
export const enter = (body: Omit<Inputs['enter'], 'life'>): Reply<'enter'> =>
  request('POST', '/access', { body: { ...body, life: pageLoadId } });

/** Opens or resumes the visit; uses no entry of the code. */
export const resume = (): Reply<'resume'> => request('POST', '/visit/resume', { body: { life: pageLoadId } });

/** Reports the start of a stage, phrase or second. */
export const position = (body: Omit<Inputs['position'], 'life'>): Reply<'position'> =>
  request('POST', '/visit/position', { body: { ...body, life: pageLoadId } });

/** Reports presence. The reply states whether the visit is still open. */
export const heartbeat = (): Reply<'heartbeat'> =>
  request('POST', '/visit/heartbeat', { body: { life: pageLoadId } });

/** Sends both answers of a trip, even if the page is unloaded. */
export const answers = (body: Omit<Inputs['answers'], 'life'>): Reply<'answers'> =>
  request('POST', '/visit/answers', { body: { ...body, life: pageLoadId }, keepalive: true });

/** Reports the end of the evening. */
export const complete = (): Reply<'complete'> =>
  request('POST', '/visit/complete', { body: { life: pageLoadId }, keepalive: true });

/** Reports an error that the visitor saw to the administrator. */
export const reportError = (kind: ReportedErrorKind): Reply<'reportError'> =>
  request('POST', '/visit/error', { body: { kind }, keepalive: true });

let lastMark = 0;

/** Reports that the page was hidden or left. Works during unload; the reply is ignored. */
export function trackUserExit(mark: ExitMark): void {
  lastMark = Math.max(lastMark + 1, Date.now());
  const body = JSON.stringify({
    ...mark,
    timestamp: new Date().toISOString(),
    seq: lastMark,
    life: pageLoadId,
  });
  const path = '/api/visit/track-user-exit';
  // text/plain is the only type that every browser sends in a beacon without a preflight request.
  const sent = navigator.sendBeacon?.(path, new Blob([body], { type: 'text/plain' })) ?? false;
  if (sent) return;
  fetch(path, { method: 'POST', body, keepalive: true, headers: { 'content-type': 'text/plain' } }).catch(
    () => {},
  );
}
