import { oc } from '@orpc/contract';
import { z } from 'zod';
import { ERASE_WORD, type ErasePart } from '../../domain/erasing.ts';
import { signInErrors } from './sign-in-errors.ts';

const count = z.int();

const erasableSchema = z.strictObject({
  visits: count,
  /** Visits under way; they end immediately. */
  living: count,
  answers: count,
  /** Replies written on keepsakes. */
  replies: count,
  codes: count,
  /** Rows of events and accesses. */
  events: count,
  files: count,
  /** Total size of all files. */
  bytes: count,
  /** Backups from before an upgrade, stored next to the data. They are not erased and contain the data of that time. */
  backups: count,
});
export type Erasable = z.infer<typeof erasableSchema>;

const keepSchema = z.strictObject({
  codes: z.boolean(),
  configuration: z.boolean(),
  account: z.boolean(),
} satisfies Record<ErasePart, z.ZodBoolean>);

/** «Cancella la serata» (decision 066). */
export const erase = {
  look: oc
    .route({ method: 'GET', path: '/admin/erase', summary: 'What there is to be erased' })
    .output(erasableSchema)
    .errors(signInErrors),
  carryOut: oc
    .route({ method: 'POST', path: '/admin/erase', summary: 'Erases the evening, but for what is kept' })
    .input(
      z.strictObject({
        keep: keepSchema,
        /** Typed by hand, to prevent accidents. */
        word: z.literal(ERASE_WORD),
      }),
    )
    .output(z.strictObject({ erased: z.literal(true) }))
    .errors(signInErrors),
};
