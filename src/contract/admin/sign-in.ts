import { oc } from '@orpc/contract';
import { z } from 'zod';
import { signInErrors } from './sign-in-errors.ts';

/** Facts for the sign-in page, readable without a sign-in. */
export const registration = oc
  .route({ method: 'GET', path: '/admin/registration', summary: 'May the first administrator register?' })
  .output(
    z.strictObject({
      registration_open: z.boolean(),
      /** True if no account exists and only the first may register: the page offers registration. */
      first: z.boolean(),
      setup_code_required: z.boolean(),
      /** True if the install is empty, so an archive may be restored. */
      restorable: z.boolean(),
    }),
  );

export const me = oc
  .route({ method: 'GET', path: '/admin/me', summary: 'Who is signed in' })
  .output(
    z.strictObject({
      email: z.string(),
      /** Site address; null if the installation doesn't know it (PUBLIC_URL). */
      public_url: z.string().nullable(),
      /** Address of a proxy that forwards visits but is missing from TRUSTED_PROXIES. */
      unnamed_proxy: z.string().nullable(),
      /** Largest accepted video (MAX_VIDEO_MB), in bytes. */
      max_video_bytes: z.number(),
    }),
  )
  .errors(signInErrors);
