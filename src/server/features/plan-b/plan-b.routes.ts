import { adminCalls } from '../../auth/admin-calls.ts';
import { orRefuse } from '../../http/or-refuse.ts';
import { os } from '../../http/orpc.ts';
import { bringAnswers } from './kept-answers.service.ts';
import { acceptKeeper, haveItGo, hearPhone, letKeep } from './phones.service.ts';
import { readPlanB, wantPlanB } from './plan-b.service.ts';

export const planBRoutes = {
  enter: os.planB.enter.handler(async ({ context, input: { pass }, errors }) => {
    const { ends } = orRefuse(await acceptKeeper(context.deps, pass), errors);
    context.setPassCookie('planB', pass, ends);
    return {};
  }),
  kept: os.planB.kept.handler(async ({ context, input: { version }, errors }) => {
    const { user_agent, cookies } = context;
    return orRefuse(await hearPhone(context.deps, cookies.planB, { version, user_agent }), errors);
  }),
  answers: os.planB.answers.handler(async ({ context, input: { sealed }, errors }) => {
    orRefuse(await bringAnswers(context.deps, { sealed, user_agent: context.user_agent }), errors);
    return {};
  }),
};

export const adminPlanBRoutes = {
  read: adminCalls.planB.read.handler(async ({ context }) => readPlanB(context.deps, context.actor)),
  make: adminCalls.planB.make.handler(async ({ context }) => wantPlanB(context.deps, context.actor)),
  pass: adminCalls.planB.pass.handler(async ({ context, input }) => {
    return letKeep(context.deps, context.actor, input);
  }),
  close: adminCalls.planB.close.handler(async ({ context, input, errors }) => {
    orRefuse(await haveItGo(context.deps, context.actor, input), errors);
    return {};
  }),
};
