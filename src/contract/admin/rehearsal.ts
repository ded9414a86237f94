import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errorMap } from '../error-map.ts';
import { snapshotSchema } from '../records.ts';
import { signInErrors } from './sign-in-errors.ts';

/**
 * The prova generale (decision 014): the real experience with the real content. Nothing is spent, logged or notified; only its completion
 * is stored.
 */
export const rehearsal = {
  /** For the administrator, and for a phone with a pass; `as` names which of them sent the request. */
  read: oc
    .route({ method: 'GET', path: '/rehearsal', summary: 'The content of the rehearsal' })
    .output(z.strictObject({ as: z.enum(['admin', 'guest']), snapshot: snapshotSchema, version: z.string() }))
    .errors(errorMap('SIGN_IN_REQUIRED', 'REHEARSAL_OVER', 'CONFIG_MISSING', 'VIDEO_MISSING')),
  /** Records that the rehearsal was seen to its end. `version` comes from `read`; `phone` is true if it was operated by touch. */
  seen: oc
    .route({ method: 'POST', path: '/rehearsal/seen', summary: 'The rehearsal was seen to its end' })
    .input(z.strictObject({ version: z.string().max(100), phone: z.boolean() }))
    .output(z.strictObject({}))
    .errors(errorMap('SIGN_IN_REQUIRED', 'REHEARSAL_OVER')),
  /**
   * Returns the pass for other devices: valid for an hour, stored nowhere. A valid pass is returned again unless `anew` replaces it.
   * The pass is put into the address's fragment, which no server receives. `public_url` is the site address, null if the installation
   * doesn't know it.
   */
  pass: oc
    .route({ method: 'POST', path: '/admin/rehearsal/pass', summary: 'The pass for other devices' })
    .input(z.strictObject({ anew: z.boolean().optional() }))
    .output(z.strictObject({ pass: z.string(), scadenza: z.string(), public_url: z.string().nullable() }))
    .errors(signInErrors),
  /** Time until which other devices may enter; null if they may not. */
  openUntil: oc
    .route({ method: 'GET', path: '/admin/rehearsal/pass', summary: 'Until when other devices may come in' })
    .output(z.strictObject({ scadenza: z.string().nullable() }))
    .errors(signInErrors),
  /** Revokes the pass: devices that entered with it are refused from now on. */
  close: oc
    .route({
      method: 'DELETE',
      path: '/admin/rehearsal/pass',
      summary: 'Close the rehearsal to other devices',
    })
    .output(z.strictObject({}))
    .errors(signInErrors),
  /** Exchanges the pass for a cookie of the same validity; a signed-in administrator gets no cookie. */
  enter: oc
    .route({ method: 'POST', path: '/rehearsal/enter', summary: 'Come in with a pass' })
    .input(z.strictObject({ pass: z.string().max(500) }))
    .output(z.strictObject({ scadenza: z.string() }))
    .errors(errorMap('REHEARSAL_OVER')),
};
