import { adminCalls } from '../../auth/admin-calls.ts';
import { throwIfRefused } from '../../http/or-refuse.ts';
import { os } from '../../http/orpc.ts';
import { deleteTestedPhone, listPhones, saveFindings } from './diagnosis.ts';
import { createDiagnosisPass, revokeDiagnosisPass, verifyDiagnosisPass } from './pass.service.ts';

/** Calls of a phone that is tested before the evening (`/diagnostica`). A pass admits it; `read` only checks the pass. */
export const diagnosisRoutes = {
  read: os.diagnosis.read.handler(async ({ context, errors }) => {
    throwIfRefused(await verifyDiagnosisPass(context.deps, context.cookies.diagnosis), errors);
    return {};
  }),
  enter: os.diagnosis.enter.handler(async ({ context, input: { pass }, errors }) => {
    const { ends } = throwIfRefused(await verifyDiagnosisPass(context.deps, pass), errors);
    context.setPassCookie('diagnosis', pass, ends);
    return {};
  }),
  report: os.diagnosis.report.handler(async ({ context, input, errors }) => {
    const { id, findings, pass } = input;
    // The pass itself for phones that refuse cookies.
    const verifiedPass = throwIfRefused(
      await verifyDiagnosisPass(context.deps, pass ?? context.cookies.diagnosis),
      errors,
    );
    await saveFindings(context.deps, verifiedPass, { id, findings, user_agent: context.user_agent });
    return {};
  }),
};

/** The administrator's calls: tested phones (`list`, `remove`), and their pass (`pass` creates it, `close` revokes it). */
export const adminDiagnosisRoutes = {
  list: adminCalls.diagnosis.list.handler(async ({ context }) => {
    return listPhones(context.deps, context.actor);
  }),
  pass: adminCalls.diagnosis.pass.handler(async ({ context, input }) => {
    return createDiagnosisPass(context.deps, context.actor, input);
  }),
  close: adminCalls.diagnosis.close.handler(async ({ context, input, errors }) => {
    throwIfRefused(await revokeDiagnosisPass(context.deps, context.actor, input), errors);
    return {};
  }),
  remove: adminCalls.diagnosis.remove.handler(async ({ context, input, errors }) => {
    throwIfRefused(await deleteTestedPhone(context.deps, context.actor, input), errors);
    return {};
  }),
};
