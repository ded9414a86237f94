import { BlockList, isIP } from 'node:net';

/** Is `item` an IP address or a range of them (`10.0.0.0/8`)? */
export function isAddressRange(item: string): boolean {
  const [address = '', prefix, ...rest] = item.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

export type IsTrustedProxy = (address: string) => boolean;

/** Which addresses belong to proxies whose `X-Forwarded-For` is believed. */
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
 * The client's address. `X-Forwarded-For` is read only when the peer is a trusted proxy, from right to left: the first address that is not
 * a trusted proxy is the client. What can't be an address ends the walk, and the last believable address stands.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusts: IsTrustedProxy,
): string {
  let client = plainAddress(peer ?? '') ?? 'unknown';
  const hops = forwardedFor === undefined ? [] : forwardedFor.split(',');
  while (trusts(client)) {
    const previous = plainAddress((hops.pop() ?? '').trim());
    if (previous === null) break;
    client = previous;
  }
  return client;
}

/** The address without port, brackets and zone; an IPv4 address dressed as IPv6 becomes IPv4. Null when it is none. */
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
