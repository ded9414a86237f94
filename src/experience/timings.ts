/** Times of the flow on a phone that are not in the specification (those are in domain/limits.ts). */

/** Longest wait of the first phrase for the fonts, in ms, so that its lines do not move. */
export const FONTS_WAIT_MS = 800;
/** Movement of the video, in its seconds, after which its position is reported. */
export const VIDEO_REPORT_SECONDS = 5;
/** The song is fetched during the film once the film has loaded, or in this many of its last seconds. */
export const SONG_AHEAD_SECONDS = 20;
/** Waits between retries in ms, doubled each time from the first to the longest. */
export const BACKOFF_MS = { first: 500, longest: 8_000 } as const;
/** Attempts to load while the server replies without a visit; unlimited without a network. */
export const LOADING_ATTEMPTS = 5;
/** Time after which missing content is requested again, in ms. */
export const ASK_AGAIN_MS = 8_000;
/** Attempts to close the visit on the server, and the time in ms after which the evening ends regardless. */
export const COMPLETING = { attempts: 5, longestMs: 15_000 } as const;

/**
 * Returns the wait before the next retry in ms: 0.5, 1, 2, 4, 8, 8, … seconds, each shortened by up to a half so that
 * phones do not retry in step.
 * @param failures consecutive failed attempts, 1 or more
 * @param random a number in [0, 1)
 */
export function backoffMs(failures: number, random: number): number {
  const full = Math.min(BACKOFF_MS.longest, BACKOFF_MS.first * 2 ** (failures - 1));
  return Math.round(full * (1 - random / 2));
}
