import { adminCalls } from '../../auth/admin-calls.ts';
import { os } from '../../http/orpc.ts';
import { checkAddress, readAddress } from './address.ts';
import { proofOf } from './proof.ts';

export const siteAddressRoutes = {
  read: adminCalls.address.read.handler(async ({ context }) => {
    return readAddress(context.deps, context.actor);
  }),
  check: adminCalls.address.check.handler(async ({ context, input }) => {
    return checkAddress(context.deps, context.actor, input);
  }),
  proof: os.admin.address.proof.handler(async ({ context, input: { nonce } }) => {
    return { proof: proofOf(context.deps.secret, nonce) };
  }),
};
