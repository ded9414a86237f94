import { isIP } from 'node:net';

/**
 * How far a network reaches: `network` is an IPv4 address or the first 64 bits of an IPv6 one (a household gets at least that many); a
 * customer's /64s lie within 48 bits.
 */
export type Network = { reach: 'network' | 'prefix48'; name: string };

/** What counts as one address: see `networksOf`. */
export function networkOf(address: string): string {
  return networksOf(address).at(-1)?.name ?? '';
}

/** The networks an address lies in, the widest first. What is no address stands for itself. */
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

/** The eight groups of an IPv6 address, however it is written: a URL writes it without dots and fills nothing in but one `::`. */
function groupsOf(address: string): number[] {
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const inPart = (part: string) => (part === '' ? [] : part.split(':'));
  const [left, right] = [inPart(head), inPart(tail)];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}

/** The IPv4 address in `::ffff:0:0/96`, or null. */
function mappedIpv4(groups: number[]): string | null {
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) return null;
  const bytes = groups.slice(6).flatMap((group) => [group >> 8, group & 255]);
  return bytes.join('.');
}
