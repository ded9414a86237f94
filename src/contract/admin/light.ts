import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errorMap } from '../error-map.ts';
import { mediaItemSchema } from './media-item.ts';
import { signInErrors } from './sign-in-errors.ts';

/** The light versions of the films. They are made by themselves. */
export const light = {
  /** Off: none is made, and visits that begin are handed none; what was made stays. On: it is handed out again, or made. */
  want: oc
    .route({
      method: 'POST',
      path: '/admin/media/video/{id}/light',
      summary: "Turn a film's light version on or off",
    })
    .input(z.strictObject({ id: z.string().max(64), on: z.boolean() }))
    .output(z.strictObject({ item: mediaItemSchema, versione: z.int() }))
    .errors({ ...signInErrors, ...errorMap('NOT_FOUND') }),
};
