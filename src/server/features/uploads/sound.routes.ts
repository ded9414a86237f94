import { adminCalls } from '../../auth/admin-calls.ts';
import { orRefuse } from '../../http/or-refuse.ts';
import { chooseSound, soundWorkOf, stopSound } from './sound.service.ts';

/** The sound of a film that came with several. */
export const soundsRoutes = {
  choose: adminCalls.sounds.choose.handler(async ({ context, input, errors }) => {
    return orRefuse(await chooseSound(context.deps, context.actor, input), errors);
  }),
  working: adminCalls.sounds.working.handler(async ({ context, input, errors }) => {
    return orRefuse(await soundWorkOf(context.deps, context.actor, input), errors);
  }),
  stop: adminCalls.sounds.stop.handler(({ context, input }) => stopSound(context.deps, context.actor, input)),
};
