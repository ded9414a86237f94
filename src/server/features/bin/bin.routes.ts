import { adminCalls } from '../../auth/admin-calls.ts';
import { throwIfRefused } from '../../http/or-refuse.ts';
import { emptyBinNow, listBinned, restoreBinned } from './bin.ts';

export const binRoutes = {
  list: adminCalls.bin.list.handler(async ({ context }) => {
    return listBinned(context.deps, context.actor);
  }),
  restore: adminCalls.bin.restore.handler(async ({ context, input, errors }) => {
    return throwIfRefused(await restoreBinned(context.deps, context.actor, input), errors);
  }),
  empty: adminCalls.bin.empty.handler(async ({ context }) => {
    await emptyBinNow(context.deps, context.actor);
    return {};
  }),
};
