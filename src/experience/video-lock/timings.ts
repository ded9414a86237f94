/** The numbers of the locked film, in milliseconds unless said otherwise. */

/** Pauses that come together are undone together, this long after the first. */
export const UNDO_AFTER = 150;
/** More undone pauses than `count` within `within` mean that the phone really wants it paused. */
export const UNDO_LIMIT = { count: 4, within: 5_000 } as const;
/** How often the watchdog looks. */
export const WATCH_EVERY = 500;
/** No advance for this long: the spinner; one more `play()`; the source loaded again. */
export const STALL = { spinner: 1_500, kick: 8_000, reload: 12_000, reloadAfterOffline: 3_000 } as const;
/** The stall of a playing film after which the light one goes on, where there is one. */
export const STALL_BEFORE_LIGHT = 2;
/** Waits before each new load of the source; the last one repeats. */
export const BACKOFF = [1_000, 2_000, 4_000, 8_000, 8_000] as const;
/** Time online spent trying before «Riprova» is offered, and after it was pressed. Time offline doesn't count. */
export const RETRY_BUDGET = { first: 60_000, again: 10_000 } as const;
/** A film this many seconds past the point of trouble has recovered: less may be a damaged spot played over and over. */
export const RECOVERED_AFTER_S = 2;
/** A source that can't be decoded past the same point so many times has no more to show. */
export const CUT_SHORT_AFTER = 3;
/** So close to the end (seconds), with no progress for `STALL.spinner`, the film has ended. */
export const END_SLACK_S = 0.3;
/** Jumps up to this many seconds are nobody's seek. */
export const SEEK_SLACK_S = 0.75;
/** After leaving a phone's own player: how long the one `play()` may take before the visitor is asked. */
export const NATIVE_EXIT_GRACE = 400;
