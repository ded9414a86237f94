import { requireAdmin } from '../../auth/actor.ts';
import { os } from '../../http/orpc.ts';
import { orRefuse } from '../../http/refuse.ts';

export const libraryRoutes = {
  list: os.admin.media.list.handler(async ({ context, errors }) => {
    orRefuse(await requireAdmin(context), errors);
    throw new Error('not built');
  }),
  finish: os.admin.media.finish.handler(async ({ context, errors }) => {
    orRefuse(await requireAdmin(context), errors);
    throw new Error('not built');
  }),
  use: os.admin.media.use.handler(async ({ context, errors }) => {
    orRefuse(await requireAdmin(context), errors);
    throw new Error('not built');
  }),
  remove: os.admin.media.remove.handler(async ({ context, errors }) => {
    orRefuse(await requireAdmin(context), errors);
    throw new Error('not built');
  }),
};
