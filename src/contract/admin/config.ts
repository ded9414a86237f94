import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errorMap } from '../error-map.ts';
import {
  configurationSchema,
  savedConfigurationSchema,
  siteSettingsSchema,
  versioneSchema,
} from '../records.ts';
import { signInErrors } from './sign-in-errors.ts';

export const config = {
  read: oc
    .route({ method: 'GET', path: '/admin/config', summary: 'The configuration and its version' })
    .output(
      z.strictObject({
        ...configurationSchema.shape,
        ...siteSettingsSchema.omit({ telegram_bot_token: true, smtp_password: true }).shape,
        /** Dots and the last four characters of the bot token, or null. */
        telegram_bot_token_masked: z.string().nullable(),
        /** True if a password for the mail server is stored. */
        smtp_password_kept: z.boolean(),
        versione: z.int(),
      }),
    )
    .errors(signInErrors),
  /**
   * Saves some fields. `versione` is the version that was read; a stale one is refused and nothing is written. NOT_FOUND: the configuration
   * was deleted; a client reads again (version 0) and starts over.
   * Removed content is in the bin under the ids of `bin`.
   */
  save: oc
    .route({ method: 'PATCH', path: '/admin/config', summary: 'Save fields of the configuration' })
    .input(
      z.strictObject({
        versione: versioneSchema,
        fields: z.strictObject({ ...savedConfigurationSchema.shape, ...siteSettingsSchema.shape }).partial(),
      }),
    )
    .output(z.strictObject({ versione: z.int(), bin: z.array(z.string()) }))
    .errors({ ...signInErrors, ...errorMap('STALE_VERSION', 'NOT_FOUND', 'SONG_START_TOO_LATE') }),
};
