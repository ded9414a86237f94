import { z } from 'zod';
import { BIN_KINDS, RESTORE_RESULTS } from '../../domain/bin.ts';
import { MAX_ACCESSES, MAX_EXTENSION_DAYS, MAX_LENGTH } from '../../domain/limits.ts';
import { adminCall, errorMap } from '../errors.ts';
import { tokenSchema } from '../model.ts';

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
  list: adminCall('GET', '/admin/bin', 'What was deleted and can be taken back').output(
    z.array(binItemSchema),
  ),
  /**
   * Restores an item to its origin. BIN_PLACE_TAKEN: the place is occupied. BIN_LIST_FULL: its list is full. In both cases the item stays
   * in the bin.
   */
  restore: adminCall('POST', '/admin/bin/{id}/restore', 'Take something back')
    .input(z.strictObject({ id: z.string().max(64) }))
    .output(z.strictObject({ came: z.enum(RESTORE_RESULTS) }))
    .errors(errorMap('NOT_FOUND', 'BIN_PLACE_TAKEN', 'BIN_LIST_FULL')),
  /** Deletes all items permanently. */
  empty: adminCall('DELETE', '/admin/bin', 'Empty the bin').output(z.strictObject({})),
};

const id = z.strictObject({ id: z.uuid() });

export const tokens = {
  list: adminCall('GET', '/admin/tokens', 'All codes, newest first').output(z.array(tokenSchema)),
  create: adminCall('POST', '/admin/tokens', 'Make a code')
    .route({ successStatus: 201 })
    .input(
      z.strictObject({
        nome: z.string().max(MAX_LENGTH.tokenName),
        max_accessi: z.int().min(1).max(MAX_ACCESSES).optional(),
        /** Days until expiry; null: never. */
        giorni: z.int().min(1).max(MAX_EXTENSION_DAYS).nullable().optional(),
      }),
    )
    .output(tokenSchema)
    .errors(errorMap('NAME_REQUIRED')),
  /** Revokes a code (attivo false: every holder is disconnected) or restores it. */
  setActive: adminCall('PATCH', '/admin/tokens/{id}', 'Revoke or restore a code')
    .input(z.strictObject({ id: z.uuid(), attivo: z.boolean() }))
    .output(tokenSchema)
    .errors(errorMap('NOT_FOUND')),
  /**
   * «+1 accesso». `max_accessi` is the number the page showed: a repeated request (after a lost reply) finds another number and adds
   * nothing.
   * Returns the code's current state. The maximum is a million.
   */
  addAccess: adminCall('POST', '/admin/tokens/{id}/accesses', 'Allow one more access')
    .input(z.strictObject({ id: z.uuid(), max_accessi: z.int().min(1).max(MAX_ACCESSES) }))
    .output(tokenSchema)
    .errors(errorMap('NOT_FOUND')),
  /**
   * «Proroga»: adds `giorni` to now or to the expiry, whichever is later; a code without expiry stays so.
   * `scadenza` is the value the page showed, for the same reason as `max_accessi` above.
   */
  extend: adminCall('POST', '/admin/tokens/{id}/extension', 'Extend a code')
    .input(
      z.strictObject({
        id: z.uuid(),
        giorni: z.int().min(1).max(MAX_EXTENSION_DAYS),
        scadenza: z.iso.datetime().nullable(),
      }),
    )
    .output(tokenSchema)
    .errors(errorMap('NOT_FOUND')),
  remove: adminCall('DELETE', '/admin/tokens/{id}', 'Delete a code and disconnect its holders')
    .input(id)
    .output(binnedSchema)
    .errors(errorMap('NOT_FOUND')),
};
