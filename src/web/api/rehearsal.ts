import type { InferContractRouterOutputs } from '@orpc/contract';
import type { rehearsal } from '../../contract/admin/rehearsal.ts';
import { type RequestResult, request } from './request.ts';

/* Plain `fetch` calls like the visitor's, because the rehearsal page runs the visitor's code. */
type Outputs = InferContractRouterOutputs<typeof rehearsal>;

export type Rehearsed = Outputs['read'];

/** Reads the whole evening as configured now. Requires the administrator's session or a pass. */
export const readRehearsal = (): Promise<RequestResult<Rehearsed>> => request('GET', '/rehearsal');

/** Opens the rehearsal with a pass. */
export const enterRehearsal = (pass: string): Promise<RequestResult<Outputs['enter']>> =>
  request('POST', '/rehearsal/enter', { body: { pass } });

/** Reports that the rehearsal was watched to its end, and whether by touch. Readiness («Pronta?») counts only rehearsals on a phone. */
export const reportRehearsalSeen = (
  version: string,
  phone: boolean,
): Promise<RequestResult<Outputs['seen']>> =>
  request('POST', '/rehearsal/seen', { body: { version, phone }, keepalive: true });
