import type { InferContractRouterOutputs } from '@orpc/contract';
import type { keepsakeContract } from '../../contract/keepsake.ts';
import { type RequestResult, request } from '../api/request.ts';

type Outputs = InferContractRouterOutputs<typeof keepsakeContract>;
type Reply<Call extends keyof Outputs> = Promise<RequestResult<Outputs[Call]>>;

/** Is there a keepsake for this device? */
export const readKeepsake = (): Reply<'read'> => request('GET', '/keepsake');

/** Opens it with the visit's own code. */
export const openKeepsake = (token: string): Reply<'open'> =>
  request('POST', '/keepsake/open', { body: { token } });

/** Keeps these lines in place of those before. */
export const writeBack = (text: string): Reply<'reply'> =>
  request('POST', '/keepsake/reply', { body: { text } });
