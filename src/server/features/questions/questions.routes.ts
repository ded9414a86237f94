import { requireAdmin } from '../../auth/actor.ts';
import { orRefuse } from '../../http/or-refuse.ts';
import { os } from '../../http/orpc.ts';
import { readQuestions, saveQuestions } from './questions.service.ts';

export const questionsRoutes = {
  read: os.admin.questions.read.handler(async ({ context, errors }) => {
    const actor = orRefuse(await requireAdmin(context), errors);
    return readQuestions(context.deps, actor);
  }),
  save: os.admin.questions.save.handler(async ({ context, input, errors }) => {
    const actor = orRefuse(await requireAdmin(context), errors);
    return orRefuse(await saveQuestions(context.deps, actor, input), errors);
  }),
};
