import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errorMap } from '../error-map.ts';
import { signInErrors } from './sign-in-errors.ts';

const commandErrors = errorMap('NOT_FOUND');

/** Who carries visitors from the Internet to this computer. */
export const TUNNELS = ['cloudflare', 'tailscale'] as const;
export type TunnelName = (typeof TUNNELS)[number];

/** Why the sharing didn't start, or doesn't work. */
export const SHARING_TROUBLES = [
  /** The program could not be fetched. */
  'download',
  /** What was fetched isn't the program that is known: it was deleted. */
  'checksum',
  /** The program could not be started. */
  'program',
  /** It ended at once, or again and again. */
  'ended',
  /** It said nothing of an address. */
  'no_address',
  /** The address that it gave isn't https. */
  'not_https',
  /** Tailscale's three ports are in use. */
  'ports',
  /** Nothing answers at the address from outside. */
  'unreachable',
  /** Another site answers there: the sharing was stopped. */
  'other_site',
  /** The port that the tunnel leads to is taken. */
  'port_taken',
] as const;
export type SharingTrouble = (typeof SHARING_TROUBLES)[number];

const sharingSchema = z.strictObject({
  /** False where PUBLIC_URL or HTTPS_DOMAIN gives the site an address. */
  available: z.boolean(),
  tunnel: z.enum(TUNNELS),
  /** What pressing the button does first: nothing, fetching the program, or nothing at all where it must be installed by hand. */
  needs: z.enum(['nothing', 'download', 'install']),
  /** `reaching`: it has an address, which isn't reached from outside yet. */
  state: z.enum(['off', 'starting', 'reaching', 'online', 'trouble']),
  address: z.string().nullable(),
  /** Does the address stay the same when the program starts again? */
  keeps_address: z.boolean(),
  /** The address that was given out and opens no more. */
  lost_address: z.string().nullable(),
  /** An address to open first, where the account has to allow it. */
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
  /** Starts, and answers at once: `read` tells how it goes. Where it is on its way already, nothing happens. */
  start: oc
    .route({ method: 'POST', path: '/admin/sharing', summary: 'Share the surprise from this computer' })
    .output(sharingSchema)
    .errors(signInErrors),
  /** The new address was given out as well: the one before is no longer missed. */
  given: oc
    .route({ method: 'POST', path: '/admin/sharing/given', summary: 'The new address was given out' })
    .output(sharingSchema)
    .errors(signInErrors),
  /** The same for `sorpresa share`, which shows a pass under the installation's seal. */
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
