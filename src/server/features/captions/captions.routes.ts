import { adminCalls } from '../../auth/admin-calls.ts';
import { throwIfRefused } from '../../http/or-refuse.ts';
import { removeCaptions, saveCaptions } from './captions.ts';

export const captionsRoutes = {
  save: adminCalls.captions.save.handler(async ({ context, input, errors }) => {
    return throwIfRefused(await saveCaptions(context.deps, context.actor, input), errors);
  }),
  remove: adminCalls.captions.remove.handler(async ({ context, input, errors }) => {
    return throwIfRefused(await removeCaptions(context.deps, context.actor, input), errors);
  }),
};
