import { requireAdmin } from '../../auth/actor.ts';
import { os } from '../../http/orpc.ts';
import { orRefuse } from '../../http/refuse.ts';
import { acceptPass, givePass, rehearsedContent } from './rehearsal.service.ts';
import { requireSpectator } from './spectator.ts';

export const rehearsalRoutes = {
  read: os.admin.rehearsal.read.handler(async ({ context, errors }) => {
    const spectator = orRefuse(await requireSpectator(context), errors);
    const snapshot = orRefuse(await rehearsedContent(context.deps, spectator), errors);
    return { as: spectator.as, snapshot };
  }),
  pass: os.admin.rehearsal.pass.handler(async ({ context, errors }) => {
    const actor = orRefuse(await requireAdmin(context), errors);
    return givePass(context.deps, actor);
  }),
  enter: os.admin.rehearsal.enter.handler(({ context, input: { pass }, errors }) => {
    const { ends } = orRefuse(acceptPass(context.deps, pass), errors);
    context.setRehearsalCookie(pass, ends);
    return { scadenza: ends.toISOString() };
  }),
};
