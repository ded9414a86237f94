import { adminCalls } from '../../auth/admin-calls.ts';
import { readReadiness, requestChecks } from './ready.ts';

export const readinessRoutes = {
  read: adminCalls.ready.read.handler(async ({ context }) => {
    return readReadiness(context.deps, context.actor, context.headers.get('host'));
  }),
  check: adminCalls.ready.check.handler(async ({ context }) => {
    await requestChecks(context.deps, context.actor);
    return {};
  }),
};
