import { adminCalls } from '../../auth/admin-calls.ts';
import { readReady, wantAsked } from './ready.service.ts';

export const readyRoutes = {
  read: adminCalls.ready.read.handler(async ({ context }) => {
    return readReady(context.deps, context.actor, context.headers.get('host'));
  }),
  check: adminCalls.ready.check.handler(async ({ context }) => {
    await wantAsked(context.deps, context.actor);
    return {};
  }),
};
