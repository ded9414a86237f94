import { adminCalls } from '../../auth/admin-calls.ts';
import { throwIfRefused } from '../../http/or-refuse.ts';
import { listAnswers, listReplies, readQuestions, saveQuestions } from './questions.ts';

export const questionsRoutes = {
  read: adminCalls.questions.read.handler(async ({ context }) => {
    return readQuestions(context.deps, context.actor);
  }),
  save: adminCalls.questions.save.handler(async ({ context, input, errors }) => {
    return throwIfRefused(await saveQuestions(context.deps, context.actor, input), errors);
  }),
};

export const answersRoutes = {
  list: adminCalls.answers.list.handler(async ({ context }) => {
    return listAnswers(context.deps, context.actor);
  }),
  replies: adminCalls.answers.replies.handler(async ({ context }) => {
    return listReplies(context.deps, context.actor);
  }),
};
