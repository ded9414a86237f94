import { requireAdmin } from '../../auth/actor.ts';
import { os } from '../../http/orpc.ts';
import { orRefuse } from '../../http/refuse.ts';

export const rehearsalRoutes = {
  read: os.admin.rehearsal.read.handler(async ({ context, errors }) => {
    orRefuse(await requireAdmin(context), errors);
    throw new Error('not built');
  }),
  pass: os.admin.rehearsal.pass.handler(async ({ context, errors }) => {
    orRefuse(await requireAdmin(context), errors);
    throw new Error('not built');
  }),
  enter: os.admin.rehearsal.enter.handler(async ({ errors }) => {
    orRefuse({ refused: 'REHEARSAL_OVER' } as const, errors);
    throw new Error('not built');
  }),
};
