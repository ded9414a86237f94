import { adminCalls } from '../../auth/admin-calls.ts';
import { listAnswers } from './answers.service.ts';

export const answersRoutes = {
  list: adminCalls.answers.list.handler(async ({ context }) => {
    return listAnswers(context.deps, context.actor);
  }),
};
