import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import type { AddressCheck, SiteAddress } from '../../../contract/admin/site-address.ts';
import { reachOf } from '../../../domain/reach.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import type { Env } from '../../env.ts';
import { isHttps, siteAddress } from '../../http/address.ts';
import { bind, calls, os } from '../../http/calls.ts';
import { IS_RELEASED, productVersion } from '../../place.ts';
import { createSemaphore } from '../../work/semaphore.ts';

import { inspectAddress, proofOf } from './ask.ts';

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

/** Returns the site's address and this machine's network settings. */
export function siteOf(deps: Pick<Deps, 'env' | 'sharing'>): SiteAddress {
  const { HTTPS_DOMAIN, TRUSTED_PROXIES, PORT, DATA_DIR } = deps.env;
  const address = siteAddress(deps);
  return {
    public_url: address,
    reach: address === null ? 'none' : reachOf(new URL(address).hostname),
    // The site's own scheme, also if this request came through the local listener.
    https: isHttps({ PUBLIC_URL: address ?? undefined }),
    served: HTTPS_DOMAIN !== undefined ? 'own_https' : TRUSTED_PROXIES.length > 0 ? 'proxy' : 'plain',
    port: PORT,
    open_to_network: isOpenToNetwork(deps.env),
    hosts: hostsIn(networkInterfaces()),
    version: productVersion(),
    installed: IS_RELEASED ? 'release' : 'checkout',
    windows: process.platform === 'win32',
    data_dir: DATA_DIR === './data' ? null : resolve(DATA_DIR),
  };
}

const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Returns true if the product accepts requests for this machine's address. With a public name it refuses them. */
function isOpenToNetwork({ HOST, PUBLIC_URL, HTTPS_DOMAIN }: Env): boolean {
  if (HTTPS_DOMAIN !== undefined) return false;
  const isAddress = PUBLIC_URL === undefined || reachOf(new URL(PUBLIC_URL).hostname) === 'network';
  return isAddress && (EVERYWHERE.has(HOST) || reachOf(HOST) !== 'machine');
}

/** Network interfaces within this machine or of overlay networks: a phone nearby can't reach them. */
const VIRTUAL =
  /^(br-|cni|docker|flannel|lxc|podman|tailscale|tap|tun|utun|vboxnet|vEthernet|veth|virbr|vmnet|wg|zt)/i;
/** Link-local addresses: fe80 needs a zone that browsers don't accept, and 169.254 means that no DHCP server answered. */
const LINK_LOCAL = /^(fe80:|169\.254\.)/i;

/** Returns the hosts under which a phone in the same network may reach this machine: IPv4 first, virtual networks last. */
export function hostsIn(interfaces: ReturnType<typeof networkInterfaces>): string[] {
  const ranked = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ internal, address }) => !internal && isOfNetwork(address))
      .map(({ address }) => ({ address, rank: (VIRTUAL.test(name) ? 2 : 0) + (isIPv6(address) ? 1 : 0) })),
  );
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ address }) => (isIPv6(address) ? `[${address}]` : address));
}

const isOfNetwork = (address: string) => !LINK_LOCAL.test(address) && reachOf(address) === 'network';
