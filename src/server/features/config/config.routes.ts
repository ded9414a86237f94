import { requireAdmin } from '../../auth/actor.ts';
import { orRefuse } from '../../http/or-refuse.ts';
import { os } from '../../http/orpc.ts';
import { readConfig, saveConfig } from './config.service.ts';

export const configRoutes = {
  read: os.admin.config.read.handler(async ({ context, errors }) => {
    const actor = orRefuse(await requireAdmin(context), errors);
    return readConfig(context.deps, actor);
  }),
  save: os.admin.config.save.handler(async ({ context, input, errors }) => {
    const actor = orRefuse(await requireAdmin(context), errors);
    return orRefuse(await saveConfig(context.deps, actor, input), errors);
  }),
};
