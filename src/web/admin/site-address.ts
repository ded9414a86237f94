import { useSignedIn } from './shell/use-signed-in.ts';

/** The address of the access screen, without any code: the site's own where the installation knows it (PUBLIC_URL), else where this page is. */
export function useSiteAddress(): URL {
  return new URL('/', useSignedIn().data?.public_url ?? location.origin);
}

/** Does this name mean «this very machine»? On another phone it leads nowhere. */
export function isThisMachine({ hostname }: URL): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(hostname);
}
