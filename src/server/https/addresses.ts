import dns from 'node:dns/promises';
import { networkInterfaces } from 'node:os';

/** Resolves a name's IPv4 and IPv6 addresses; empty if there are none or DNS fails. */
export async function resolveHost(name: string): Promise<string[]> {
  const results = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]);
  return results.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

/** Returns this machine's addresses without link-local ones, which can't be compared with DNS. */
export function localAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address)
    .filter((address) => !address.startsWith('fe80:'));
}
