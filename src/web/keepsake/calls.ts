import type { InferContractRouterOutputs } from '@orpc/contract';
import type { keepsakeContract } from '../../contract/visit.ts';
import { type RequestResult, request } from '../api/request.ts';

type Outputs = InferContractRouterOutputs<typeof keepsakeContract>;
type Reply<Call extends keyof Outputs> = Promise<RequestResult<Outputs[Call]>>;

/** Checks whether this device has a keepsake. */
export const readKeepsake = (): Reply<'read'> => request('GET', '/keepsake');

/** Opens the keepsake with the visit's own code. */
export const openKeepsake = (token: string): Reply<'open'> =>
  request('POST', '/keepsake/open', { body: { token } });

/** Stores the visitor's reply; replaces the previous one. */
export const writeBack = (text: string): Reply<'reply'> =>
  request('POST', '/keepsake/reply', { body: { text } });
