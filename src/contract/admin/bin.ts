import { oc } from '@orpc/contract';
import { z } from 'zod';
import { BIN_KINDS, RESTORE_RESULTS } from '../../domain/bin.ts';
import { errorMap } from '../error-map.ts';
import { signInErrors } from './sign-in-errors.ts';

/** What a deletion tells: the id under which it lies in the bin. */
export const binnedSchema = z.strictObject({ bin: z.string() });

const binItemSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(BIN_KINDS),
  /** The slot, list or field it was in; null of a code. */
  place: z.string().nullable(),
  /** What it was called, or the text itself. */
  name: z.string(),
  /** Of a code: what is typed. */
  token: z.string().nullable(),
  /** Of a file: where the administrator can still look at it, what it is, and how many bytes stay for it. */
  url: z.string().nullable(),
  content_type: z.string().nullable(),
  size: z.int(),
  deleted_at: z.string(),
  /** Until then it can be taken back. */
  until: z.string(),
});
export type BinItem = z.infer<typeof binItemSchema>;

/** What was deleted, for as long as it can be taken back (decision 074). */
export const bin = {
  list: oc
    .route({ method: 'GET', path: '/admin/bin', summary: 'What was deleted and can be taken back' })
    .output(z.array(binItemSchema))
    .errors(signInErrors),
  /** Puts it back where it was. BIN_PLACE_TAKEN: something else is there now; BIN_LIST_FULL: its list has no room. It stays in the bin then. */
  restore: oc
    .route({ method: 'POST', path: '/admin/bin/{id}/restore', summary: 'Take something back' })
    .input(z.strictObject({ id: z.string().max(64) }))
    .output(z.strictObject({ came: z.enum(RESTORE_RESULTS) }))
    .errors({ ...signInErrors, ...errorMap('NOT_FOUND', 'BIN_PLACE_TAKEN', 'BIN_LIST_FULL') }),
  /** Empties it: nothing of it can be taken back any more. */
  empty: oc
    .route({ method: 'DELETE', path: '/admin/bin', summary: 'Empty the bin' })
    .output(z.strictObject({}))
    .errors(signInErrors),
};
