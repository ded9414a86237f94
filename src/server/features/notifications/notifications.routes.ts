import { requireAdmin } from '../../auth/actor.ts';
import { orRefuse } from '../../http/or-refuse.ts';
import { os } from '../../http/orpc.ts';
import { notificationsStatus, takeBackNotifications, testNotifications } from './settings.service.ts';

export const notificationsRoutes = {
  status: os.admin.notifications.status.handler(async ({ context, errors }) => {
    const actor = orRefuse(await requireAdmin(context), errors);
    return notificationsStatus(context.deps, actor);
  }),
  takeBack: os.admin.notifications.takeBack.handler(async ({ context, errors }) => {
    const actor = orRefuse(await requireAdmin(context), errors);
    return takeBackNotifications(context.deps, actor);
  }),
  test: os.admin.notifications.test.handler(async ({ context, errors }) => {
    const actor = orRefuse(await requireAdmin(context), errors);
    return orRefuse(await testNotifications(context.deps, actor), errors);
  }),
};
