import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errorMap } from '../error-map.ts';
import { mediaItemSchema } from './media-item.ts';
import { signInErrors } from './sign-in-errors.ts';

/** Light versions of the films. They are created automatically. */
export const light = {
  /** Off: none is created and new visits get none; an existing file stays. On: the existing file is used again, or one is created. */
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
