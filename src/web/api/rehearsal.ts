import type { InferContractRouterOutputs } from '@orpc/contract';
import type { rehearsal } from '../../contract/admin/rehearsal.ts';
import { type RequestResult, request } from './request.ts';

/* By hand on `fetch`, as the visitor's calls are: the rehearsal's page is drawn by the same code as hers. */
type Outputs = InferContractRouterOutputs<typeof rehearsal>;

export type Rehearsed = Outputs['read'];

/** The whole evening as it is configured now; for the administrator, or for who came in with a pass. */
export const readRehearsal = (): Promise<RequestResult<Rehearsed>> => request('GET', '/rehearsal');

/** Comes in with a pass. */
export const enterRehearsal = (pass: string): Promise<RequestResult<Outputs['enter']>> =>
  request('POST', '/rehearsal/enter', { body: { pass } });

/** It was seen to its end, by a finger or not: the page «Pronta?» knows by it that the evening was tried on a phone. */
export const tellRehearsalSeen = (version: string, phone: boolean): Promise<RequestResult<Outputs['seen']>> =>
  request('POST', '/rehearsal/seen', { body: { version, phone }, keepalive: true });
