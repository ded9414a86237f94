import { useSignedIn } from './use-signed-in.ts';

/** The address of the access screen, without any code: the site's own where the installation knows it (PUBLIC_URL), else where this page is. */
export function useSiteAddress(): URL {
  return new URL('/', useSignedIn().data?.public_url ?? location.origin);
}

/** Does this name mean «this very machine»? On another phone it leads nowhere. */
export function isThisMachine({ hostname }: URL): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname);
}

/** Does this address open on a phone that is somewhere else? Not this machine's name, nor one of a network at home. */
export function opensElsewhere(address: URL): boolean {
  return !isThisMachine(address) && !AT_HOME.some((pattern) => pattern.test(address.hostname));
}

/** Private addresses (RFC 1918, link-local, unique local), names of home networks, names without a dot. */
const AT_HOME = [
  /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$/,
  /^\[f[cd]|^\[fe80:/,
  /\.(local|lan|home|internal|home\.arpa)$/,
  /^[^.:[\]]+$/,
];
