import { requireAdmin } from '../../auth/actor.ts';
import { orRefuse } from '../../http/or-refuse.ts';
import { os } from '../../http/orpc.ts';
import { finishUpload } from './finish.service.ts';

/** What makes a finished upload a file of the list: the last call of an upload. */
export const finish = os.admin.media.finish.handler(async ({ context, input, errors }) => {
  const actor = orRefuse(await requireAdmin(context), errors);
  return orRefuse(await finishUpload(context.deps, actor, input), errors);
});
