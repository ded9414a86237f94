import type { Deps } from '../deps.ts';
import type { Env } from '../env.ts';

/** Do visitors come by https? Then cookies are `Secure`, and the browser is told to stay with it. */
export function isHttps({ PUBLIC_URL, listener }: Pick<Env, 'PUBLIC_URL' | 'listener'>): boolean {
  // The machine's own door is http whatever the site's address is.
  return listener === undefined && (PUBLIC_URL?.startsWith('https:') ?? false);
}

/** The address under which everybody finds the site: as it is set, else that of the tunnel through which it is shared. */
export const siteAddress = ({ env, sharing }: Pick<Deps, 'env' | 'sharing'>): string | null =>
  env.PUBLIC_URL ?? sharing.address();
