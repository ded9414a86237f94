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
