import { requireAdmin } from '../../auth/actor.ts';
import { os } from '../../http/orpc.ts';
import { orRefuse } from '../../http/refuse.ts';

export const logsRoutes = {
  list: os.admin.logs.list.handler(async ({ context, errors }) => {
    orRefuse(await requireAdmin(context), errors);
    throw new Error('not built');
  }),
};
