import type { AddressCheck, SiteAddress } from '../../../contract/admin/site-address.ts';
import type { AdminActor } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import { createSemaphore } from '../../limits/semaphore.ts';
import { inspectAddress } from './look.ts';
import { siteOf } from './site.ts';

/** Returns the site's address and what the page needs to explain how others can reach it. */
export const readAddress = (deps: Pick<Deps, 'env' | 'sharing'>, _actor: AdminActor): SiteAddress =>
  siteOf(deps);

/** A check may wait ten seconds for another server, so one runs at a time. */
const inTurn = createSemaphore(1);

/** Checks what an address leads to from outside: by its name, over the network. */
export function checkAddress(
  { secret }: Pick<Deps, 'secret'>,
  _actor: AdminActor,
  { address }: { address: string },
): Promise<AddressCheck> {
  return inTurn.run(() => inspectAddress(new URL(address), secret));
}
