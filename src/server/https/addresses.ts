import dns from 'node:dns/promises';
import { networkInterfaces } from 'node:os';

/** The addresses of a name, as DNS has them now; none where it has none or nobody can say. */
export async function resolveHost(name: string): Promise<string[]> {
  const asked = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]);
  return asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

/** This machine's own addresses; those that only its own cable knows say nothing. */
export function localAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address)
    .filter((address) => !address.startsWith('fe80:'));
}
