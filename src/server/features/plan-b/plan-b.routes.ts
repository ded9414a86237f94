import { adminCalls } from '../../auth/admin-calls.ts';
import { readPlanB, wantPlanB } from './plan-b.service.ts';

export const planBRoutes = {
  read: adminCalls.planB.read.handler(async ({ context }) => readPlanB(context.deps, context.actor)),
  make: adminCalls.planB.make.handler(async ({ context }) => wantPlanB(context.deps, context.actor)),
};
