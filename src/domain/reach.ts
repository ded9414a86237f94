/** From where a site's address opens: only on the machine that serves it, in its own network, or everywhere. */
export type Reach = 'machine' | 'network' | 'public';

/** 192.0.2.7, as four numbers. */
const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;
/** Names that no public name server knows: RFC 6762, RFC 8375, ICANN's `internal`, and what routers at home call their networks. */
const HOME_NAME = /\.(local|lan|home|internal|home\.arpa)$/;

/**
 * How far a name or an IP address reaches, by what it says of itself: nobody is asked.
 * @param hostname as `URL` writes it (IPv6 in brackets) or bare
 */
export function reachOf(hostname: string): Reach {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  const ipv4 = IPV4.exec(name);
  if (ipv4 !== null) return reachOfIpv4(Number(ipv4[1]), Number(ipv4[2]));
  if (name.includes(':')) return reachOfIpv6(name.replace(/^\[|\]$|%.*$/g, ''));
  if (name === 'localhost' || name.endsWith('.localhost')) return 'machine';
  return !name.includes('.') || HOME_NAME.test(name) ? 'network' : 'public';
}

/** Loopback; RFC 1918, link-local, and RFC 6598, of which providers and private nets give out what nobody else reaches. */
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

/** Loopback; unique local, link-local; an IPv4 address within an IPv6 one, in either way to write it. */
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
