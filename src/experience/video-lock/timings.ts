/** Constants of the locked film, in ms unless stated otherwise. */

/** Delay after the first pause; pauses that come together are undone together. */
export const UNDO_AFTER = 150;
/** More undone pauses than `count` within `within` mean that the phone insists on the pause. */
export const UNDO_LIMIT = { count: 4, within: 5_000 } as const;
/** Interval of the watchdog. */
export const WATCH_EVERY = 500;
/** Time without progress until the spinner, one more `play()`, and a reload of the source. */
export const STALL = { spinner: 1_500, kick: 8_000, reload: 12_000, reloadAfterOffline: 3_000 } as const;
/** Number of stalls after which the light film replaces the full one, if there is one. */
export const STALL_BEFORE_LIGHT = 2;
/** Waits before each reload of the source; the last one repeats. */
export const BACKOFF = [1_000, 2_000, 4_000, 8_000, 8_000] as const;
/** Recovery time online until «Riprova» is offered, and after it was pressed. Time offline does not count. */
export const RETRY_BUDGET = { first: 60_000, again: 10_000 } as const;
/** Seconds past the trouble after which the film has recovered; less may be a damaged spot that repeats. */
export const RECOVERED_AFTER_S = 2;
/** Decoding failures at one point after which the film has ended. */
export const CUT_SHORT_AFTER = 3;
/** Distance from the end, in seconds, that counts as the end after `STALL.spinner` without progress. */
export const END_SLACK_S = 0.3;
/** Largest jump, in seconds, that does not count as a seek. */
export const SEEK_SLACK_S = 0.75;
/** Time for the one `play()` after leaving a phone's own player, before the visitor is asked for a tap. */
export const NATIVE_EXIT_GRACE = 400;
