import { adminCalls } from '../../auth/admin-calls.ts';
import { orRefuse } from '../../http/or-refuse.ts';
import { focusPicture, listMedia, removeListed, useMedia } from './library.service.ts';

export const libraryRoutes = {
  list: adminCalls.media.list.handler(async ({ context, input }) => {
    return listMedia(context.deps, context.actor, input);
  }),
  use: adminCalls.media.use.handler(async ({ context, input, errors }) => {
    return orRefuse(await useMedia(context.deps, context.actor, input), errors);
  }),
  focus: adminCalls.media.focus.handler(async ({ context, input, errors }) => {
    return orRefuse(await focusPicture(context.deps, context.actor, input), errors);
  }),
  remove: adminCalls.media.remove.handler(async ({ context, input, errors }) => {
    return orRefuse(await removeListed(context.deps, context.actor, input), errors);
  }),
};
