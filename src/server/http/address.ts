import { BlockList, isIP } from 'node:net';
import type { Deps } from '../deps.ts';
import type { Env } from '../env.ts';

/** Returns true if `item` is an IP address or a range such as `10.0.0.0/8`. */
export function isAddressRange(item: string): boolean {
  const [address = '', prefix, ...rest] = item.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

export type IsTrustedProxy = (address: string) => boolean;

/** Returns a test for addresses of proxies whose `X-Forwarded-For` is trusted. */
export function trustedProxies(ranges: readonly string[]): IsTrustedProxy {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    const type = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(prefix), type);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Returns the client's address. Reads `X-Forwarded-For` only from trusted proxies, from right to left: the first address that isn't a
 * trusted proxy is the client. At an invalid entry, returns the last valid address.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  isTrustedProxy: IsTrustedProxy,
): string {
  let client = plainAddress(peer ?? '') ?? 'unknown';
  const hops = forwardedFor === undefined ? [] : forwardedFor.split(',');
  while (isTrustedProxy(client)) {
    const previous = plainAddress((hops.pop() ?? '').trim());
    if (previous === null) break;
    client = previous;
  }
  return client;
}

/** Returns the address without port, brackets and zone; IPv4-mapped IPv6 becomes IPv4. Null if it is invalid. */
function plainAddress(text: string): string | null {
  const bare = withoutPort(text).replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1] ?? bare;
  return isIP(mapped) === 0 ? null : mapped;
}

function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1];
  if (bracketed !== undefined) return bracketed;
  return /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
}

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

/** Returns true if visitors use HTTPS: cookies are then `Secure` and the browser gets HSTS. */
export function isHttps({ PUBLIC_URL, listener }: Pick<Env, 'PUBLIC_URL' | 'listener'>): boolean {
  // The machine's own listener uses HTTP, regardless of the site's address.
  return listener === undefined && (PUBLIC_URL?.startsWith('https:') ?? false);
}

/** Returns the public address of the site: PUBLIC_URL, otherwise that of the tunnel; null if there is none. */
export const siteAddress = ({ env, sharing }: Pick<Deps, 'env' | 'sharing'>): string | null =>
  env.PUBLIC_URL ?? sharing.address();
