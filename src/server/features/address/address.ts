import type { AddressCheck } from '../../../contract/admin/site-address.ts';
import type { AdminCtx } from '../../auth/actor.ts';
import { adminCalls } from '../../auth/admin-calls.ts';
import { bind, calls, os } from '../../http/calls.ts';
import { createSemaphore } from '../../limits/semaphore.ts';
import { inspectAddress } from './look.ts';
import { proofOf } from './proof.ts';
import { siteOf } from './site.ts';

export const siteAddressCalls = calls(adminCalls.address, {
  read: siteOf,
  check: checkAddress,
  proof: bind(os.admin.address.proof, ({ secret }, { nonce }) => ({ proof: proofOf(secret, nonce) })),
});

/** A check may wait ten seconds for another server, so one runs at a time. */
const inTurn = createSemaphore(1);

/** Checks what an address leads to from outside: by its name, over the network. */
export function checkAddress({ secret }: AdminCtx, { address }: { address: string }): Promise<AddressCheck> {
  return inTurn.run(() => inspectAddress(new URL(address), secret));
}
