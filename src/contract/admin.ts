import { oc } from '@orpc/contract';
import { z } from 'zod';
import { configurationSchema, questionsSchema, siteSettingsSchema, tokenSchema } from './records.ts';
import { refusals } from './refusals.ts';

const id = z.strictObject({ id: z.uuid() });
const signedIn = refusals('SIGN_IN_REQUIRED');

export const adminContract = {
  /** What the sign-in page must know before anybody has signed in. */
  door: oc
    .route({ method: 'GET', path: '/admin/door', summary: 'May the first administrator register?' })
    .output(z.strictObject({ registration_open: z.boolean(), setup_code_required: z.boolean() })),

  me: oc
    .route({ method: 'GET', path: '/admin/me', summary: 'Who is signed in' })
    .output(z.strictObject({ email: z.string() }))
    .errors(signedIn),

  config: {
    read: oc
      .route({ method: 'GET', path: '/admin/config', summary: 'The configuration and its version' })
      .output(
        z.strictObject({
          ...configurationSchema.shape,
          ...siteSettingsSchema.omit({ telegram_bot_token: true }).shape,
          /** The last four signs of the bot token behind dots, or null. */
          telegram_bot_token_masked: z.string().nullable(),
          versione: z.int(),
        }),
      )
      .errors(signedIn),
    /** Saves some fields. `versione` is the one that was read; a stale one is refused and nothing is written. */
    save: oc
      .route({ method: 'PATCH', path: '/admin/config', summary: 'Save fields of the configuration' })
      .input(
        z.strictObject({
          versione: z.int().min(0),
          fields: z.strictObject({ ...configurationSchema.shape, ...siteSettingsSchema.shape }).partial(),
        }),
      )
      .output(z.strictObject({ versione: z.int() }))
      .errors({ ...signedIn, ...refusals('STALE_VERSION') }),
  },

  questions: {
    read: oc
      .route({ method: 'GET', path: '/admin/questions', summary: 'The questions of both trips' })
      .output(questionsSchema)
      .errors(signedIn),
    save: oc
      .route({ method: 'PATCH', path: '/admin/questions', summary: 'Save questions' })
      .input(questionsSchema.partial())
      .output(questionsSchema)
      .errors(signedIn),
  },

  tokens: {
    list: oc
      .route({ method: 'GET', path: '/admin/tokens', summary: 'All codes, newest first' })
      .output(z.array(tokenSchema))
      .errors(signedIn),
    create: oc
      .route({ method: 'POST', path: '/admin/tokens', summary: 'Make a code', successStatus: 201 })
      .input(
        z.strictObject({
          nome: z.string().max(200),
          max_accessi: z.int().min(1).max(1_000_000).optional(),
          /** Days until it expires; null means never. */
          giorni: z.int().min(1).max(3_650).nullable().optional(),
        }),
      )
      .output(tokenSchema)
      .errors({ ...signedIn, ...refusals('NAME_REQUIRED') }),
    /** Revokes (attivo false: every holder is disconnected) or restores. */
    setActive: oc
      .route({ method: 'PATCH', path: '/admin/tokens/{id}', summary: 'Revoke or restore a code' })
      .input(z.strictObject({ id: z.uuid(), attivo: z.boolean() }))
      .output(tokenSchema)
      .errors({ ...signedIn, ...refusals('NOT_FOUND') }),
    remove: oc
      .route({
        method: 'DELETE',
        path: '/admin/tokens/{id}',
        summary: 'Delete a code and disconnect its holders',
      })
      .input(id)
      .output(z.strictObject({}))
      .errors({ ...signedIn, ...refusals('NOT_FOUND') }),
  },
};
