import { adminCalls } from '../../auth/admin-calls.ts';
import { erasable, eraseEvening } from './erase.ts';

export const eraseRoutes = {
  look: adminCalls.erase.look.handler(({ context }) => erasable(context.deps, context.actor)),
  carryOut: adminCalls.erase.carryOut.handler(({ context, input }) =>
    eraseEvening(context.deps, context.actor, input),
  ),
};
