import { isIPv6 } from 'node:net';
import type { networkInterfaces } from 'node:os';
import { reachOf } from '../../../domain/reach.ts';

/** Networks within this machine, or between machines far apart: a phone beside it is in none of them. */
const VIRTUAL =
  /^(br-|cni|docker|flannel|lxc|podman|tailscale|tap|tun|utun|vboxnet|vEthernet|veth|virbr|vmnet|wg|zt)/i;
/** They are good on one cable only, and a browser needs its name to them; or nobody gave out any address. */
const LINK_LOCAL = /^(fe80:|169\.254\.)/i;

/** Under which hosts of a URL a phone in the same network may find this machine: IPv4 first, those of virtual networks last. */
export function hostsIn(interfaces: ReturnType<typeof networkInterfaces>): string[] {
  const found = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ internal, address }) => !internal && isOfNetwork(address))
      .map(({ address }) => ({ address, rank: (VIRTUAL.test(name) ? 2 : 0) + (isIPv6(address) ? 1 : 0) })),
  );
  return found
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ address }) => (isIPv6(address) ? `[${address}]` : address));
}

const isOfNetwork = (address: string) => !LINK_LOCAL.test(address) && reachOf(address) === 'network';
