import { oc } from '@orpc/contract';
import { z } from 'zod';
import { signInErrors } from './sign-in-errors.ts';

/** What the sign-in page must know before anybody has signed in. */
export const registration = oc
  .route({ method: 'GET', path: '/admin/registration', summary: 'May the first administrator register?' })
  .output(
    z.strictObject({
      registration_open: z.boolean(),
      /** Nobody has registered, where only the first may: whoever comes is here to do so. */
      first: z.boolean(),
      setup_code_required: z.boolean(),
      /** Nothing is here yet: an archive may be taken back. */
      restorable: z.boolean(),
    }),
  );

export const me = oc
  .route({ method: 'GET', path: '/admin/me', summary: 'Who is signed in' })
  .output(
    z.strictObject({
      email: z.string(),
      /** The site's own address, where the installation knows it (PUBLIC_URL). */
      public_url: z.string().nullable(),
      /** The address of a proxy that visits were seen to come through, which the installation doesn't name (TRUSTED_PROXIES). */
      unnamed_proxy: z.string().nullable(),
      /** The largest video this installation takes (MAX_VIDEO_MB), in bytes. */
      max_video_bytes: z.number(),
    }),
  )
  .errors(signInErrors);
