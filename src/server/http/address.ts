import { BlockList, isIP } from 'node:net';

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
