import { requireAdmin } from '../../auth/actor.ts';
import { orRefuse } from '../../http/or-refuse.ts';
import { os } from '../../http/orpc.ts';
import { listMedia, removeListed, useMedia } from './library.service.ts';

export const libraryRoutes = {
  list: os.admin.media.list.handler(async ({ context, input, errors }) => {
    const actor = orRefuse(await requireAdmin(context), errors);
    return listMedia(context.deps, actor, input);
  }),
  use: os.admin.media.use.handler(async ({ context, input, errors }) => {
    const actor = orRefuse(await requireAdmin(context), errors);
    return orRefuse(await useMedia(context.deps, actor, input), errors);
  }),
  remove: os.admin.media.remove.handler(async ({ context, input, errors }) => {
    const actor = orRefuse(await requireAdmin(context), errors);
    return orRefuse(await removeListed(context.deps, actor, input), errors);
  }),
};
