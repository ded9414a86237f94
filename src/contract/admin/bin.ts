import { oc } from '@orpc/contract';
import { z } from 'zod';
import { BIN_KINDS, RESTORE_RESULTS } from '../../domain/bin.ts';
import { errorMap } from '../error-map.ts';
import { signInErrors } from './sign-in-errors.ts';

/** Reply to a deletion: id of the new entry in the bin. */
export const binnedSchema = z.strictObject({ bin: z.string() });

const binItemSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(BIN_KINDS),
  /** Slot, list or field of origin; null for a code. */
  place: z.string().nullable(),
  /** File name or code name, or the deleted text. */
  name: z.string(),
  /** Text to type of a code; null for other kinds. */
  token: z.string().nullable(),
  /** For files: address at which the administrator can still open it, content type, stored bytes. */
  url: z.string().nullable(),
  content_type: z.string().nullable(),
  size: z.int(),
  deleted_at: z.string(),
  /** End of the time in which it can be restored. */
  until: z.string(),
});
export type BinItem = z.infer<typeof binItemSchema>;

/** Deleted items that can still be restored (decision 066). */
export const bin = {
  list: oc
    .route({ method: 'GET', path: '/admin/bin', summary: 'What was deleted and can be taken back' })
    .output(z.array(binItemSchema))
    .errors(signInErrors),
  /**
   * Restores an item to its origin. BIN_PLACE_TAKEN: the place is occupied. BIN_LIST_FULL: its list is full. In both cases the item stays
   * in the bin.
   */
  restore: oc
    .route({ method: 'POST', path: '/admin/bin/{id}/restore', summary: 'Take something back' })
    .input(z.strictObject({ id: z.string().max(64) }))
    .output(z.strictObject({ came: z.enum(RESTORE_RESULTS) }))
    .errors({ ...signInErrors, ...errorMap('NOT_FOUND', 'BIN_PLACE_TAKEN', 'BIN_LIST_FULL') }),
  /** Deletes all items permanently. */
  empty: oc
    .route({ method: 'DELETE', path: '/admin/bin', summary: 'Empty the bin' })
    .output(z.strictObject({}))
    .errors(signInErrors),
};
