import { z } from 'zod';
import { adminCall, errorMap } from '../errors.ts';
import {
  configurationSchema,
  questionsSchema,
  savedConfigurationSchema,
  siteSettingsSchema,
  versioneSchema,
  viaggioSchema,
} from '../model.ts';

const configSchema = z.strictObject({
  ...configurationSchema.shape,
  ...siteSettingsSchema.omit({ telegram_bot_token: true, smtp_password: true }).shape,
  /** Dots and the last four characters of the bot token, or null. */
  telegram_bot_token_masked: z.string().nullable(),
  /** True if a password for the mail server is stored. */
  smtp_password_kept: z.boolean(),
  versione: z.int(),
});
export type ConfigRecord = z.infer<typeof configSchema>;

export const config = {
  read: adminCall('GET', '/admin/config', 'The configuration and its version').output(configSchema),
  /**
   * Saves some fields. `versione` is the version that was read; a stale one is refused and nothing is written. NOT_FOUND: the configuration
   * was deleted; a client reads again (version 0) and starts over.
   * Removed content is in the bin under the ids of `bin`.
   */
  save: adminCall('PATCH', '/admin/config', 'Save fields of the configuration')
    .input(
      z.strictObject({
        versione: versioneSchema,
        fields: z.strictObject({ ...savedConfigurationSchema.shape, ...siteSettingsSchema.shape }).partial(),
      }),
    )
    .output(z.strictObject({ versione: z.int(), bin: z.array(z.string()) }))
    .errors(errorMap('STALE_VERSION', 'NOT_FOUND', 'SONG_START_TOO_LATE')),
};

const versioned = z.strictObject({ ...questionsSchema.shape, versione: z.int() });

export const questions = {
  read: adminCall('GET', '/admin/questions', 'The questions of both trips').output(versioned),
  /** Changes the questions in `fields`. `versione` as in `config.save`; emptied questions are in the bin, under the ids of `bin`. */
  save: adminCall('PATCH', '/admin/questions', 'Save questions')
    .input(z.strictObject({ versione: versioneSchema, fields: questionsSchema.partial() }))
    .output(z.strictObject({ ...versioned.shape, bin: z.array(z.string()) }))
    .errors(errorMap('STALE_VERSION')),
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
  list: adminCall('GET', '/admin/answers', 'The received answers').output(z.array(answerSchema)),
  /** Replies from keepsakes, newest first. `nome`: name of the code, empty if the code was deleted. */
  replies: adminCall('GET', '/admin/replies', 'What was written back').output(
    z.array(
      z.strictObject({
        session_id: z.string(),
        token_value: z.string(),
        nome: z.string(),
        testo: z.string(),
        at: z.string(),
      }),
    ),
  ),
};
