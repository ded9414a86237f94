import { adminCalls } from '../../auth/admin-calls.ts';
import { orRefuse } from '../../http/or-refuse.ts';
import { finishUpload } from './finish.service.ts';

/** What makes a finished upload a file of the list: the last call of an upload. */
export const finish = adminCalls.media.finish.handler(async ({ context, input, errors }) => {
  return orRefuse(await finishUpload(context.deps, context.actor, input), errors);
});
