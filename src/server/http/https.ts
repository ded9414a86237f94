import type { Env } from '../env.ts';

/** Do visitors come by https? Then cookies are `Secure`, and the browser is told to stay with it. */
export function isHttps({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>): boolean {
  return PUBLIC_URL?.startsWith('https:') ?? false;
}
