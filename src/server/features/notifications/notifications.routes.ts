import { adminCalls } from '../../auth/admin-calls.ts';
import { orRefuse } from '../../http/or-refuse.ts';
import {
  lookForChats,
  notificationsStatus,
  takeBackNotifications,
  testNotifications,
} from './settings.service.ts';

export const notificationsRoutes = {
  status: adminCalls.notifications.status.handler(async ({ context }) => {
    return notificationsStatus(context.deps, context.actor);
  }),
  takeBack: adminCalls.notifications.takeBack.handler(async ({ context, input }) => {
    return takeBackNotifications(context.deps, context.actor, input);
  }),
  test: adminCalls.notifications.test.handler(async ({ context, input, errors }) => {
    return orRefuse(await testNotifications(context.deps, context.actor, input), errors);
  }),
  chats: adminCalls.notifications.chats.handler(async ({ context, errors, signal }) => {
    return orRefuse(await lookForChats(context.deps, context.actor, signal), errors);
  }),
};
