import { adminCalls } from '../../auth/admin-calls.ts';
import { listSessions } from './sessions.ts';

export const sessionsRoutes = {
  list: adminCalls.sessions.list.handler(async ({ context }) => {
    return listSessions(context.deps, context.actor);
  }),
};
