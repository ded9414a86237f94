import { requireAdmin } from '../../auth/actor.ts';
import { orRefuse } from '../../http/or-refuse.ts';
import { os } from '../../http/orpc.ts';
import { listLogs } from './logs.service.ts';

export const logsRoutes = {
  list: os.admin.logs.list.handler(async ({ context, input, errors }) => {
    const actor = orRefuse(await requireAdmin(context), errors);
    return listLogs(context.deps, actor, input);
  }),
};
