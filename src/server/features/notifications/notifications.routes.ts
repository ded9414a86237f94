import { requireAdmin } from '../../auth/actor.ts';
import { os } from '../../http/orpc.ts';
import { orRefuse } from '../../http/refuse.ts';

export const notificationsRoutes = {
  status: os.admin.notifications.status.handler(async ({ context, errors }) => {
    orRefuse(await requireAdmin(context), errors);
    throw new Error('not built');
  }),
  test: os.admin.notifications.test.handler(async ({ context, errors }) => {
    orRefuse(await requireAdmin(context), errors);
    throw new Error('not built');
  }),
};
