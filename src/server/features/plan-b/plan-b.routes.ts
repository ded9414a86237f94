import { adminCalls } from '../../auth/admin-calls.ts';
import { readPlanB, requestPlanB } from './plan-b.ts';

export const planBRoutes = {
  read: adminCalls.planB.read.handler(async ({ context }) => readPlanB(context.deps, context.actor)),
  make: adminCalls.planB.make.handler(async ({ context }) => requestPlanB(context.deps, context.actor)),
};
