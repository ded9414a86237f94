import { adminCalls } from '../../auth/admin-calls.ts';
import { calls } from '../../http/calls.ts';
import {
  cancelNotifications,
  notificationsStatus,
  searchChats,
  testNotifications,
} from './settings.service.ts';

export const notificationsCalls = calls(adminCalls.notifications, {
  status: notificationsStatus,
  takeBack: cancelNotifications,
  test: testNotifications,
  chats: (ctx) => searchChats(ctx),
});
