import { adminCalls } from '../../auth/admin-calls.ts';
import { throwIfRefused } from '../../http/or-refuse.ts';
import { setLightWanted } from './light.ts';

export const lightRoutes = {
  want: adminCalls.light.want.handler(async ({ context, input, errors }) => {
    return throwIfRefused(await setLightWanted(context.deps, context.actor, input), errors);
  }),
};
