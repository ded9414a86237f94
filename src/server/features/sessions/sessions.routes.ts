import { requireAdmin } from '../../auth/actor.ts';
import { orRefuse } from '../../http/or-refuse.ts';
import { os } from '../../http/orpc.ts';
import { listSessions } from './session-list.service.ts';

export const sessionsRoutes = {
  list: os.admin.sessions.list.handler(async ({ context, errors }) => {
    const actor = orRefuse(await requireAdmin(context), errors);
    return listSessions(context.deps, actor);
  }),
};
