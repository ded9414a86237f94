import { adminCalls } from '../../auth/admin-calls.ts';
import { orRefuse } from '../../http/or-refuse.ts';
import { removeCaptions, saveCaptions } from './captions.service.ts';

export const captionsRoutes = {
  save: adminCalls.captions.save.handler(async ({ context, input, errors }) => {
    return orRefuse(await saveCaptions(context.deps, context.actor, input), errors);
  }),
  remove: adminCalls.captions.remove.handler(async ({ context, input, errors }) => {
    return orRefuse(await removeCaptions(context.deps, context.actor, input), errors);
  }),
};
