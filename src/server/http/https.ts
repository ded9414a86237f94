import type { Env } from '../env.ts';

/** Do visitors come by https? Then cookies are `Secure`, and the browser is told to stay with it. */
export function isHttps({ PUBLIC_URL, door }: Pick<Env, 'PUBLIC_URL' | 'door'>): boolean {
  // The machine's own door is http whatever the site's address is.
  return door === undefined && (PUBLIC_URL?.startsWith('https:') ?? false);
}
