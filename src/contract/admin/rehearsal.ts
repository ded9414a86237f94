import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errorMap } from '../error-map.ts';
import { snapshotSchema } from '../records.ts';
import { signInErrors } from './sign-in-errors.ts';

/** The prova generale (decision 25): the real experience on the real content; nothing is spent, logged or notified, and all that is kept is that it was seen. */
export const rehearsal = {
  /** For the administrator, and for a phone that came in with a pass; `as` says which of them asks. */
  read: oc
    .route({ method: 'GET', path: '/rehearsal', summary: 'The content of the rehearsal' })
    .output(z.strictObject({ as: z.enum(['admin', 'guest']), snapshot: snapshotSchema, version: z.string() }))
    .errors(errorMap('SIGN_IN_REQUIRED', 'REHEARSAL_OVER', 'CONFIG_MISSING', 'VIDEO_MISSING')),
  /** It was seen to its end: `version` is what was handed out with it, `phone` whether a finger was what it was done with. */
  seen: oc
    .route({ method: 'POST', path: '/rehearsal/seen', summary: 'The rehearsal was seen to its end' })
    .input(z.strictObject({ version: z.string().max(100), phone: z.boolean() }))
    .output(z.strictObject({}))
    .errors(errorMap('SIGN_IN_REQUIRED', 'REHEARSAL_OVER')),
  /**
   * The pass for other devices: good for an hour, stored nowhere. One that is still good is given again, unless another is asked for
   * (`anew`): then the one before is good no more. It travels in the address's fragment, which no server sees. `public_url` is the site's own
   * address, where the installation knows it.
   */
  pass: oc
    .route({ method: 'POST', path: '/admin/rehearsal/pass', summary: 'The pass for other devices' })
    .input(z.strictObject({ anew: z.boolean().optional() }))
    .output(z.strictObject({ pass: z.string(), scadenza: z.string(), public_url: z.string().nullable() }))
    .errors(signInErrors),
  /** Until when other devices may come in; null when they may not. */
  openUntil: oc
    .route({ method: 'GET', path: '/admin/rehearsal/pass', summary: 'Until when other devices may come in' })
    .output(z.strictObject({ scadenza: z.string().nullable() }))
    .errors(signInErrors),
  /** Takes the pass back: whoever came in with it is refused from now on. */
  close: oc
    .route({
      method: 'DELETE',
      path: '/admin/rehearsal/pass',
      summary: 'Close the rehearsal to other devices',
    })
    .output(z.strictObject({}))
    .errors(signInErrors),
  /** The other device gives the pass and gets a cookie for as long as the pass is good; who is signed in gets none. */
  enter: oc
    .route({ method: 'POST', path: '/rehearsal/enter', summary: 'Come in with a pass' })
    .input(z.strictObject({ pass: z.string().max(500) }))
    .output(z.strictObject({ scadenza: z.string() }))
    .errors(errorMap('REHEARSAL_OVER')),
};
