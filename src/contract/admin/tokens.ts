import { oc } from '@orpc/contract';
import { z } from 'zod';
import { MAX_ACCESSES, MAX_EXTENSION_DAYS, MAX_LENGTH } from '../../domain/limits.ts';
import { errorMap } from '../error-map.ts';
import { tokenSchema } from '../records.ts';
import { binnedSchema } from './bin.ts';
import { signInErrors } from './sign-in-errors.ts';

const id = z.strictObject({ id: z.uuid() });
const notFoundErrors = { ...signInErrors, ...errorMap('NOT_FOUND') };

export const tokens = {
  list: oc
    .route({ method: 'GET', path: '/admin/tokens', summary: 'All codes, newest first' })
    .output(z.array(tokenSchema))
    .errors(signInErrors),
  create: oc
    .route({ method: 'POST', path: '/admin/tokens', summary: 'Make a code', successStatus: 201 })
    .input(
      z.strictObject({
        nome: z.string().max(MAX_LENGTH.tokenName),
        max_accessi: z.int().min(1).max(MAX_ACCESSES).optional(),
        /** Days until expiry; null: never. */
        giorni: z.int().min(1).max(MAX_EXTENSION_DAYS).nullable().optional(),
      }),
    )
    .output(tokenSchema)
    .errors({ ...signInErrors, ...errorMap('NAME_REQUIRED') }),
  /** Revokes a code (attivo false: every holder is disconnected) or restores it. */
  setActive: oc
    .route({ method: 'PATCH', path: '/admin/tokens/{id}', summary: 'Revoke or restore a code' })
    .input(z.strictObject({ id: z.uuid(), attivo: z.boolean() }))
    .output(tokenSchema)
    .errors(notFoundErrors),
  /**
   * «+1 accesso». `max_accessi` is the number the page showed: a repeated request (after a lost reply) finds another number and adds
   * nothing.
   * Returns the code's current state. The maximum is a million.
   */
  addAccess: oc
    .route({ method: 'POST', path: '/admin/tokens/{id}/accesses', summary: 'Allow one more access' })
    .input(z.strictObject({ id: z.uuid(), max_accessi: z.int().min(1).max(MAX_ACCESSES) }))
    .output(tokenSchema)
    .errors(notFoundErrors),
  /**
   * «Proroga»: adds `giorni` to now or to the expiry, whichever is later; a code without expiry stays so.
   * `scadenza` is the value the page showed, for the same reason as `max_accessi` above.
   */
  extend: oc
    .route({ method: 'POST', path: '/admin/tokens/{id}/extension', summary: 'Extend a code' })
    .input(
      z.strictObject({
        id: z.uuid(),
        giorni: z.int().min(1).max(MAX_EXTENSION_DAYS),
        scadenza: z.iso.datetime().nullable(),
      }),
    )
    .output(tokenSchema)
    .errors(notFoundErrors),
  remove: oc
    .route({
      method: 'DELETE',
      path: '/admin/tokens/{id}',
      summary: 'Delete a code and disconnect its holders',
    })
    .input(id)
    .output(binnedSchema)
    .errors(notFoundErrors),
};
