/** Networks from which an address opens: only its own machine, the local network, or everywhere. */
export type Reach = 'machine' | 'network' | 'public';

/** An IPv4 address as four numbers, for example 192.0.2.7. */
const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;
/** Names unknown to public name servers: RFC 6762, RFC 8375, ICANN's `internal`, and common names of home networks. */
const HOME_NAME = /\.(local|lan|home|internal|home\.arpa)$/;

/**
 * Returns the reach of a host name or IP address, from its form alone; no request is made.
 * @param hostname as in `URL` (IPv6 in brackets) or bare
 */
export function reachOf(hostname: string): Reach {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  const ipv4 = IPV4.exec(name);
  if (ipv4 !== null) return reachOfIpv4(Number(ipv4[1]), Number(ipv4[2]));
  if (name.includes(':')) return reachOfIpv6(name.replace(/^\[|\]$|%.*$/g, ''));
  if (name === 'localhost' || name.endsWith('.localhost')) return 'machine';
  return !name.includes('.') || HOME_NAME.test(name) ? 'network' : 'public';
}

/**
 * Recognizes loopback, RFC 1918, link-local, and RFC 6598, whose addresses providers and private networks assign without outside access.
 */
function reachOfIpv4(a: number, b: number): Reach {
  if (a === 127 || a === 0) return 'machine';
  const isPrivate =
    a === 10 ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b <= 127);
  return isPrivate ? 'network' : 'public';
}

/** Recognizes loopback, unique local, link-local, and IPv4 addresses mapped into IPv6, in both notations. */
function reachOfIpv6(address: string): Reach {
  if (address === '::1' || address === '::') return 'machine';
  const [, dotted, high] = /^::ffff:(?:([\d.]+)|([\da-f]{1,4}):[\da-f]{1,4})$/.exec(address) ?? [];
  if (dotted !== undefined) return reachOf(dotted);
  if (high !== undefined) {
    const bits = Number.parseInt(high, 16);
    return reachOfIpv4(bits >> 8, bits & 255);
  }
  return /^(f[cd][\da-f]{2}|fe[89ab][\da-f]):/.test(address) ? 'network' : 'public';
}
