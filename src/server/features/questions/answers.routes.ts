import { requireAdmin } from '../../auth/actor.ts';
import { orRefuse } from '../../http/or-refuse.ts';
import { os } from '../../http/orpc.ts';
import { listAnswers } from './answers.service.ts';

export const answersRoutes = {
  list: os.admin.answers.list.handler(async ({ context, errors }) => {
    const actor = orRefuse(await requireAdmin(context), errors);
    return listAnswers(context.deps, actor);
  }),
};
