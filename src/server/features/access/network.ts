import { isIPv6 } from 'node:net';

/**
 * What counts as one address: an IPv4 address, or the first 64 bits of an IPv6 one (a household gets at least that many).
 * Anything else stands for itself.
 */
export function networkOf(address: string): string {
  const bare = address.replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(bare)) return bare;
  return `${groupsOf(bare).slice(0, 4).join(':')}::/64`;
}

/** The eight groups, without leading zeros; one written as `::` is filled in. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const left = split(head);
  if (tail === undefined) return left;
  const right = split(tail);
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right];
}

function split(part: string): string[] {
  const groups = part === '' ? [] : part.split(':');
  return groups.flatMap((group) => {
    // The last 32 bits may be written as an IPv4 address: two groups.
    if (group.includes('.')) return ['ipv4', 'ipv4'];
    return [group.replace(/^0+(?=.)/, '')];
  });
}
