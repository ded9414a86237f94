import { requireAdmin } from '../../auth/actor.ts';
import { orRefuse } from '../../http/or-refuse.ts';
import { os } from '../../http/orpc.ts';
import { readDashboard } from './dashboard.service.ts';

export const dashboardRoutes = os.admin.dashboard.handler(async ({ context, errors }) => {
  const actor = orRefuse(await requireAdmin(context), errors);
  return readDashboard(context.deps, actor);
});
