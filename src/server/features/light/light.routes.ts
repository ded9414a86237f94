import { adminCalls } from '../../auth/admin-calls.ts';
import { orRefuse } from '../../http/or-refuse.ts';
import { wantLight } from './light.service.ts';

export const lightRoutes = {
  want: adminCalls.light.want.handler(async ({ context, input, errors }) => {
    return orRefuse(await wantLight(context.deps, context.actor, input), errors);
  }),
};
