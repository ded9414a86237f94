import { oc } from '@orpc/contract';
import { z } from 'zod';
import { errorMap, signInErrors } from '../errors.ts';
import {
  configurationSchema,
  questionsSchema,
  savedConfigurationSchema,
  siteSettingsSchema,
  versioneSchema,
  viaggioSchema,
} from '../model.ts';

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

const versioned = z.strictObject({ ...questionsSchema.shape, versione: z.int() });

export const questions = {
  read: oc
    .route({ method: 'GET', path: '/admin/questions', summary: 'The questions of both trips' })
    .output(versioned)
    .errors(signInErrors),
  /** Changes the questions in `fields`. `versione` as in `config.save`; emptied questions are in the bin, under the ids of `bin`. */
  save: oc
    .route({ method: 'PATCH', path: '/admin/questions', summary: 'Save questions' })
    .input(z.strictObject({ versione: versioneSchema, fields: questionsSchema.partial() }))
    .output(z.strictObject({ ...versioned.shape, bin: z.array(z.string()) }))
    .errors({ ...signInErrors, ...errorMap('STALE_VERSION') }),
};

export const answerSchema = z.strictObject({
  id: z.string(),
  session_id: z.string(),
  viaggio: viaggioSchema,
  token_value: z.string(),
  /** Questions at the time of the answer, from the visit's snapshot; null if it can't be read any more. */
  domanda_1: z.string().nullable(),
  domanda_2: z.string().nullable(),
  risposta_1: z.boolean(),
  risposta_2: z.boolean(),
  created_at: z.string(),
});
export type AnswerRecord = z.infer<typeof answerSchema>;

/** `checkbox_responses` of both trips, newest first (spec 7 «Questions»). */
export const answers = {
  list: oc
    .route({ method: 'GET', path: '/admin/answers', summary: 'The received answers' })
    .output(z.array(answerSchema))
    .errors(signInErrors),
  /** Replies from keepsakes, newest first. `nome`: name of the code, empty if the code was deleted. */
  replies: oc
    .route({ method: 'GET', path: '/admin/replies', summary: 'What was written back' })
    .output(
      z.array(
        z.strictObject({
          session_id: z.string(),
          token_value: z.string(),
          nome: z.string(),
          testo: z.string(),
          at: z.string(),
        }),
      ),
    )
    .errors(signInErrors),
};
