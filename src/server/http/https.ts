import type { Deps } from '../deps.ts';
import type { Env } from '../env.ts';

/** Returns true if visitors use HTTPS: cookies are then `Secure` and the browser gets HSTS. */
export function isHttps({ PUBLIC_URL, listener }: Pick<Env, 'PUBLIC_URL' | 'listener'>): boolean {
  // The machine's own listener uses HTTP, regardless of the site's address.
  return listener === undefined && (PUBLIC_URL?.startsWith('https:') ?? false);
}

/** Returns the public address of the site: PUBLIC_URL, otherwise that of the tunnel; null if there is none. */
export const siteAddress = ({ env, sharing }: Pick<Deps, 'env' | 'sharing'>): string | null =>
  env.PUBLIC_URL ?? sharing.address();
