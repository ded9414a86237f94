import { reachOf } from '../../domain/reach.ts';
import { useSignedIn } from './use-signed-in.ts';

/** Returns the address of the access screen, without a code: PUBLIC_URL if the installation knows it, else this page's origin. */
export function useSiteAddress(): URL {
  return new URL('/', useSignedIn().data?.public_url ?? location.origin);
}

/** Returns true if the host name means this machine, so that the address fails on a phone. */
export function isThisMachine({ hostname }: URL): boolean {
  return reachOf(hostname) === 'machine';
}

/** Returns true if the address opens on a phone elsewhere: not this machine's name or one of a local network. */
export function opensElsewhere({ hostname }: URL): boolean {
  return reachOf(hostname) === 'public';
}
