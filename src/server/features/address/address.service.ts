import type { AddressCheck, SiteAddress } from '../../../contract/admin/site-address.ts';
import type { AdminActor } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import { createSemaphore } from '../../limits/semaphore.ts';
import { inspectAddress } from './look.ts';
import { siteOf } from './site.ts';

/** Where the site is found, and what is needed to say how it could be found from elsewhere. */
export const readAddress = (deps: Pick<Deps, 'env' | 'sharing'>, _actor: AdminActor): SiteAddress =>
  siteOf(deps);

/** Each may wait ten seconds for somebody else: one after the other is enough. */
const inTurn = createSemaphore(1);

/** Looks what an address leads to, as a stranger would: by its name, over the network. */
export function checkAddress(
  { secret }: Pick<Deps, 'secret'>,
  _actor: AdminActor,
  { address }: { address: string },
): Promise<AddressCheck> {
  return inTurn.run(() => inspectAddress(new URL(address), secret));
}
