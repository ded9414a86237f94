import { adminCalls } from '../../auth/admin-calls.ts';
import { listLogs } from './logs.ts';

export const logsRoutes = {
  list: adminCalls.logs.list.handler(async ({ context, input }) => {
    return listLogs(context.deps, context.actor, input);
  }),
};
