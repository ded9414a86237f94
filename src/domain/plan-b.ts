/** Content of one sealed evening, in bytes: a phone holds it twice while it is opened. */
export const PLAN_B_BYTES = 256 * 2 ** 20;
/** So many pixels a picture of it is wide at least: what phones' screens are. */
export const PLAN_B_PICTURE = 1_080;

/** Why none can be made: nothing is prepared, there is no film, no code opens, more codes do than fit, it would be too large. */
export const PLAN_B_HINDRANCES = ['no_content', 'no_film', 'no_code', 'many_codes', 'too_large'] as const;
export type PlanBHindrance = (typeof PLAN_B_HINDRANCES)[number];

/** Why one that was asked for isn't there: no room on the disk, or what nobody expected. */
export const PLAN_B_FAILURES = ['no_room', 'failed'] as const;
export type PlanBFailure = (typeof PLAN_B_FAILURES)[number];
