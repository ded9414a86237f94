import { reachOf } from '../../domain/reach.ts';
import { useSignedIn } from './use-signed-in.ts';

/** The address of the access screen, without any code: the site's own where the installation knows it (PUBLIC_URL), else where this page is. */
export function useSiteAddress(): URL {
  return new URL('/', useSignedIn().data?.public_url ?? location.origin);
}

/** Does this name mean «this very machine»? On another phone it leads nowhere. */
export function isThisMachine({ hostname }: URL): boolean {
  return reachOf(hostname) === 'machine';
}

/** Does this address open on a phone that is somewhere else? Not this machine's name, nor one of a network at home. */
export function opensElsewhere({ hostname }: URL): boolean {
  return reachOf(hostname) === 'public';
}
