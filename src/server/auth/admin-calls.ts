import { os, toCallError } from '../http/calls.ts';
import { isRefused } from '../refused.ts';
import { requireAdmin } from './actor.ts';

/** The administrator's calls. Unauthenticated requests are refused before their input is parsed; services get an `AdminCtx`. */
export const adminCalls = os.admin.use(async ({ context, next }) => {
  const granted = await requireAdmin(context);
  if (isRefused(granted)) throw toCallError(granted);
  return next({ context: { deps: { ...context.deps, ...granted } } });
});
