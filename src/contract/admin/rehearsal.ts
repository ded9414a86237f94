import { z } from 'zod';
import { adminCall, call, errorMap } from '../errors.ts';
import { snapshotSchema } from '../model.ts';

/**
 * The prova generale (decision 014): the real experience with the real content. Nothing is spent, logged or notified; only its completion
 * is stored.
 */
export const rehearsal = {
  /** For the administrator, and for a phone with a pass; `as` names which of them sent the request. */
  read: call('GET', '/rehearsal', 'The content of the rehearsal')
    .output(z.strictObject({ as: z.enum(['admin', 'guest']), snapshot: snapshotSchema, version: z.string() }))
    .errors(errorMap('SIGN_IN_REQUIRED', 'REHEARSAL_OVER', 'CONFIG_MISSING', 'VIDEO_MISSING')),
  /** Records that the rehearsal was seen to its end. `version` comes from `read`; `phone` is true if it was operated by touch. */
  seen: call('POST', '/rehearsal/seen', 'The rehearsal was seen to its end')
    .input(z.strictObject({ version: z.string().max(100), phone: z.boolean() }))
    .output(z.strictObject({}))
    .errors(errorMap('SIGN_IN_REQUIRED', 'REHEARSAL_OVER')),
  /**
   * Returns the pass for other devices: valid for an hour, stored nowhere. A valid pass is returned again unless `anew` replaces it.
   * The pass is put into the address's fragment, which no server receives. `public_url` is the site address, null if the installation
   * doesn't know it.
   */
  pass: adminCall('POST', '/admin/rehearsal/pass', 'The pass for other devices')
    .input(z.strictObject({ anew: z.boolean().optional() }))
    .output(z.strictObject({ pass: z.string(), scadenza: z.string(), public_url: z.string().nullable() })),
  /** Time until which other devices may enter; null if they may not. */
  openUntil: adminCall('GET', '/admin/rehearsal/pass', 'Until when other devices may come in').output(
    z.strictObject({ scadenza: z.string().nullable() }),
  ),
  /** Revokes the pass: devices that entered with it are refused from now on. */
  close: adminCall('DELETE', '/admin/rehearsal/pass', 'Close the rehearsal to other devices').output(
    z.strictObject({}),
  ),
  /** Exchanges the pass for a cookie of the same validity; a signed-in administrator gets no cookie. */
  enter: call('POST', '/rehearsal/enter', 'Come in with a pass')
    .input(z.strictObject({ pass: z.string().max(500) }))
    .output(z.strictObject({ scadenza: z.string() }))
    .errors(errorMap('REHEARSAL_OVER')),
};

/** Maximum content of one sealed evening, in bytes; a phone holds it twice in memory while opening it. */
export const PLAN_B_BYTES = 256 * 2 ** 20;
/** Minimum width of its pictures, in pixels: the width of phone screens. */
export const PLAN_B_PICTURE = 1_080;

/** Reasons why none can be created: nothing is prepared, no film, no usable code, more usable codes than fit, too large. */
export const PLAN_B_BLOCKERS = ['no_content', 'no_film', 'no_code', 'many_codes', 'too_large'] as const;
export type PlanBBlocker = (typeof PLAN_B_BLOCKERS)[number];

/** Reasons why a requested one is missing: no disk space, or an unexpected failure. */
export const PLAN_B_FAILURES = ['no_room', 'failed'] as const;
export type PlanBFailure = (typeof PLAN_B_FAILURES)[number];

const stateSchema = z.strictObject({
  /** Reason why a new one can't be created now. */
  hindrance: z.enum(PLAN_B_BLOCKERS).nullable(),
  /**
   * Current file. `size`: bytes of the sealed evening; `file_size`: approximate bytes of the file; `current`: true if a new one would have
   * the same content.
   */
  plan: z
    .strictObject({ made_at: z.string(), size: z.int(), file_size: z.int(), current: z.boolean() })
    .nullable(),
  making: z.boolean(),
  /** True while creation waits until no visitor is in the evening. */
  waits: z.boolean(),
  failed: z.enum(PLAN_B_FAILURES).nullable(),
});
export type PlanBState = z.infer<typeof stateSchema>;

/** Piano B: the evening without the site and without network (decision 077). */
export const planB = {
  read: adminCall('GET', '/admin/plan-b', 'The sealed evening there is').output(stateSchema),
  make: adminCall('POST', '/admin/plan-b', 'Have the evening sealed as it is now')
    .input(z.strictObject({}))
    .output(stateSchema),
};
