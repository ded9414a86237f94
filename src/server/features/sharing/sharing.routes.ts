import { adminCalls } from '../../auth/admin-calls.ts';
import { verifyPass } from '../../auth/pass.ts';
import { os } from '../../http/orpc.ts';

export const sharingRoutes = {
  read: adminCalls.sharing.read.handler(({ context: { deps } }) => deps.sharing.read()),
  start: adminCalls.sharing.start.handler(({ context: { deps } }) => deps.sharing.start()),
  stop: adminCalls.sharing.stop.handler(({ context: { deps } }) => deps.sharing.stop()),
  command: os.admin.sharing.command.handler(({ context: { deps }, input: { action, pass }, errors }) => {
    // The command runs on this machine and uses its clock.
    if (verifyPass(deps.secret, 'share', pass, new Date()) === null) throw errors.NOT_FOUND();
    return deps.sharing[action]();
  }),
  given: adminCalls.sharing.given.handler(({ context: { deps } }) => deps.sharing.given()),
};
