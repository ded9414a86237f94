import { adminCalls } from '../../auth/admin-calls.ts';
import { readDashboard } from './dashboard.ts';

export const dashboardRoutes = adminCalls.dashboard.handler(async ({ context }) => {
  return readDashboard(context.deps, context.actor);
});
