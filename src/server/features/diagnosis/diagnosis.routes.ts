import { adminCalls } from '../../auth/admin-calls.ts';
import { orRefuse } from '../../http/or-refuse.ts';
import { os } from '../../http/orpc.ts';
import { forgetPhone, keepFindings, listPhones } from './diagnosis.service.ts';
import { acceptPass, closePass, givePass } from './pass.service.ts';

export const diagnosisRoutes = {
  read: os.diagnosis.read.handler(async ({ context, errors }) => {
    orRefuse(await acceptPass(context.deps, context.cookies.diagnosis), errors);
    return {};
  }),
  enter: os.diagnosis.enter.handler(async ({ context, input: { pass }, errors }) => {
    const { ends } = orRefuse(await acceptPass(context.deps, pass), errors);
    context.setPassCookie('diagnosis', pass, ends);
    return {};
  }),
  report: os.diagnosis.report.handler(async ({ context, input, errors }) => {
    const { id, findings, pass } = input;
    const owner = orRefuse(await acceptPass(context.deps, pass ?? context.cookies.diagnosis), errors);
    await keepFindings(context.deps, owner, { id, findings, user_agent: context.user_agent });
    return {};
  }),
};

export const adminDiagnosisRoutes = {
  list: adminCalls.diagnosis.list.handler(async ({ context }) => {
    return listPhones(context.deps, context.actor);
  }),
  pass: adminCalls.diagnosis.pass.handler(async ({ context, input }) => {
    return givePass(context.deps, context.actor, input);
  }),
  close: adminCalls.diagnosis.close.handler(async ({ context, input, errors }) => {
    orRefuse(await closePass(context.deps, context.actor, input), errors);
    return {};
  }),
  remove: adminCalls.diagnosis.remove.handler(async ({ context, input, errors }) => {
    orRefuse(await forgetPhone(context.deps, context.actor, input), errors);
    return {};
  }),
};
