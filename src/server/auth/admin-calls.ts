import { ORPCError } from '@orpc/server';
import { ERROR_STATUS } from '../../contract/errors.ts';
import { os } from '../http/orpc.ts';
import { isRefused } from '../refused.ts';
import { requireAdmin } from './actor.ts';

/**
 * Builder of the administrator calls. Refuses unauthenticated requests before their input is parsed; handlers find the administrator in
 * `context.actor`.
 */
export const adminCalls = os.admin.use(async ({ context, next }) => {
  const actor = await requireAdmin(context);
  if (isRefused(actor)) throw new ORPCError(actor.refused, { status: ERROR_STATUS[actor.refused] });
  return next({ context: { actor } });
});
