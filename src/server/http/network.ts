import { isIP } from 'node:net';

/** Size of a network: `network` is an IPv4 address or an IPv6 /64 (a household gets at least that); `prefix48` covers a customer's /64s. */
export type Network = { reach: 'network' | 'prefix48'; name: string };

/** Returns the narrowest network of an address: see `networksOf`. */
export function networkOf(address: string): string {
  return networksOf(address).at(-1)?.name ?? '';
}

/** Returns the networks of an address, widest first. Another text is returned as its own network. */
export function networksOf(address: string): Network[] {
  const bare = address.replace(/%.*$/, '').toLowerCase();
  if (isIP(bare) !== 6) return [{ reach: 'network', name: bare }];
  const groups = groupsOf(bare);
  const ipv4 = mappedIpv4(groups);
  if (ipv4 !== null) return [{ reach: 'network', name: ipv4 }];
  const [a = 0, b = 0, c = 0, d = 0] = groups;
  return [
    { reach: 'prefix48', name: named([a, b, c], 48) },
    { reach: 'network', name: named([a, b, c, d], 64) },
  ];
}

const named = (groups: number[], bits: number) =>
  `${groups.map((group) => group.toString(16)).join(':')}::/${bits}`;

/** Returns the eight groups of an IPv6 address. The URL parser normalizes it: no dots, at most one `::`. */
function groupsOf(address: string): number[] {
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const inPart = (part: string) => (part === '' ? [] : part.split(':'));
  const [left, right] = [inPart(head), inPart(tail)];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}

/** Returns the IPv4 address in `::ffff:0:0/96`, or null. */
function mappedIpv4(groups: number[]): string | null {
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) return null;
  const bytes = groups.slice(6).flatMap((group) => [group >> 8, group & 255]);
  return bytes.join('.');
}
