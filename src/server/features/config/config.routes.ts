import { adminCalls } from '../../auth/admin-calls.ts';
import { throwIfRefused } from '../../http/or-refuse.ts';
import { readConfig, saveConfig } from './config.service.ts';

export const configRoutes = {
  read: adminCalls.config.read.handler(async ({ context }) => {
    return readConfig(context.deps, context.actor);
  }),
  save: adminCalls.config.save.handler(async ({ context, input, errors }) => {
    return throwIfRefused(await saveConfig(context.deps, context.actor, input), errors);
  }),
};
