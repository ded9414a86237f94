import { adminCalls } from '../../auth/admin-calls.ts';
import { throwIfRefused } from '../../http/or-refuse.ts';
import {
  cancelNotifications,
  notificationsStatus,
  searchChats,
  testNotifications,
} from './settings.service.ts';

export const notificationsRoutes = {
  status: adminCalls.notifications.status.handler(async ({ context }) => {
    return notificationsStatus(context.deps, context.actor);
  }),
  takeBack: adminCalls.notifications.takeBack.handler(async ({ context, input }) => {
    return cancelNotifications(context.deps, context.actor, input);
  }),
  test: adminCalls.notifications.test.handler(async ({ context, input, errors }) => {
    return throwIfRefused(await testNotifications(context.deps, context.actor, input), errors);
  }),
  chats: adminCalls.notifications.chats.handler(async ({ context, errors, signal }) => {
    return throwIfRefused(await searchChats(context.deps, context.actor, signal), errors);
  }),
};
