import { adminCalls } from '../../auth/admin-calls.ts';
import { verifyPass } from '../../auth/pass.ts';
import { bind, calls, os } from '../../http/calls.ts';
import { refuse } from '../../refused.ts';

export const sharingCalls = calls(adminCalls.sharing, {
  read: ({ sharing }) => sharing.read(),
  start: ({ sharing }) => sharing.start(),
  stop: ({ sharing }) => sharing.stop(),
  command: bind(os.admin.sharing.command, ({ secret, sharing }, { action, pass }) => {
    // The command runs on this machine and uses its clock.
    const isValid = verifyPass(secret, 'share', pass, new Date()) !== null;
    return isValid ? sharing[action]() : refuse('NOT_FOUND');
  }),
  given: ({ sharing }) => sharing.given(),
});
