import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errorMap } from '../error-map.ts';
import { signInErrors } from './sign-in-errors.ts';

const commandErrors = errorMap('NOT_FOUND');

/** Services that carry visitors from the Internet to this computer. */
export const TUNNELS = ['cloudflare', 'tailscale'] as const;
export type TunnelName = (typeof TUNNELS)[number];

/** Reasons why sharing didn't start or doesn't work. */
export const SHARING_TROUBLES = [
  /** The program could not be downloaded. */
  'download',
  /** The downloaded file isn't the known program; it was deleted. */
  'checksum',
  /** The program could not be started. */
  'program',
  /** The program exited immediately, or repeatedly. */
  'ended',
  /** The program reported no address. */
  'no_address',
  /** The reported address isn't https. */
  'not_https',
  /** Tailscale's three ports are in use. */
  'ports',
  /** Nothing answers at the address from outside. */
  'unreachable',
  /** Another site answers there; sharing was stopped. */
  'other_site',
  /** The port that the tunnel forwards to is taken. */
  'port_taken',
] as const;
export type SharingTrouble = (typeof SHARING_TROUBLES)[number];

const sharingSchema = z.strictObject({
  /** False if PUBLIC_URL or HTTPS_DOMAIN sets the site address. */
  available: z.boolean(),
  tunnel: z.enum(TUNNELS),
  /** Step before the start: none, download of the program, or an installation by hand (the start then does nothing). */
  needs: z.enum(['nothing', 'download', 'install']),
  /** `reaching`: the address exists but isn't reachable from outside yet. */
  state: z.enum(['off', 'starting', 'reaching', 'online', 'trouble']),
  address: z.string().nullable(),
  /** True if the address stays the same after a restart. */
  keeps_address: z.boolean(),
  /** A published address that no longer opens. */
  lost_address: z.string().nullable(),
  /** Address to open first if the account must allow sharing. */
  enable: z.string().nullable(),
  trouble: z.enum(SHARING_TROUBLES).nullable(),
});
export type SharingState = z.infer<typeof sharingSchema>;

/** Sharing the surprise from this computer (decision 104). */
export const sharing = {
  read: oc
    .route({ method: 'GET', path: '/admin/sharing', summary: 'Is the surprise shared from this computer?' })
    .output(sharingSchema)
    .errors(signInErrors),
  /** Starts sharing and returns immediately; `read` returns the progress. Does nothing if it is already starting or running. */
  start: oc
    .route({ method: 'POST', path: '/admin/sharing', summary: 'Share the surprise from this computer' })
    .output(sharingSchema)
    .errors(signInErrors),
  /** Confirms that the new address was handed out too; the lost one is no longer reported. */
  given: oc
    .route({ method: 'POST', path: '/admin/sharing/given', summary: 'The new address was given out' })
    .output(sharingSchema)
    .errors(signInErrors),
  /** Same calls for `sorpresa share`, which sends a pass signed by this installation. */
  command: oc
    .route({
      method: 'POST',
      path: '/site/sharing',
      summary: 'Share the surprise, by a command on this computer',
    })
    .input(z.strictObject({ action: z.enum(['read', 'start', 'stop']), pass: z.string().max(100) }))
    .output(sharingSchema)
    .errors(commandErrors),
  stop: oc
    .route({ method: 'DELETE', path: '/admin/sharing', summary: 'Share it no more' })
    .output(sharingSchema)
    .errors(signInErrors),
};
