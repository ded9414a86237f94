/**
 * Resolves the names of fake tunnels to this machine; loaded by a test, or by a product that a test starts
 * (`--import`).
 */
import names from 'node:dns';
import dns from 'node:dns/promises';

const { lookup } = names;
const { resolve4, resolve6 } = dns;
const ofTunnel = (name) => /\.(trycloudflare\.com|ts\.net)$/.test(String(name));

/** @returns a function that restores the lookups */
export function resolveTunnelsHere() {
  // The lookups of `fetch` and of the product.
  Object.assign(names, {
    lookup: (name, ...rest) => lookup(ofTunnel(name) ? '127.0.0.1' : name, ...rest),
  });
  Object.assign(dns, {
    resolve4: async (name) => (ofTunnel(name) ? ['127.0.0.1'] : resolve4(name)),
    resolve6: async (name) => (ofTunnel(name) ? [] : resolve6(name)),
  });
  return () => {
    Object.assign(names, { lookup });
    Object.assign(dns, { resolve4, resolve6 });
  };
}

if (process.env.TUNNEL_NAMES) resolveTunnelsHere();
