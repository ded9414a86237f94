/** Times that belong to the flow on a phone and not to the specification (its numbers are in domain/limits.ts). */

/** The first phrase waits this long for the fonts, at most, so that its lines don't move; milliseconds. */
export const FONTS_WAIT_MS = 800;
/** The place of the video is reported each time it has moved by this many of its seconds. */
export const VIDEO_REPORT_SECONDS = 5;
/** The song is fetched while the film runs once the film is all there, or in its last seconds: so many. */
export const SONG_AHEAD_SECONDS = 20;
/** Waiting times between tries: doubled each time from the first to the longest, in milliseconds. */
export const BACKOFF_MS = { first: 500, longest: 8_000 } as const;
/** Tries of a load that the server answers, but not with a visit; without a network there is no limit. */
export const LOADING_TRIES = 5;
/** Content that hasn't come by itself is asked for again after this time, in milliseconds. */
export const ASK_AGAIN_MS = 8_000;
/** Closing the visit on the server: tries, and the time after which the evening is over regardless, in milliseconds. */
export const COMPLETING = { tries: 5, longestMs: 15_000 } as const;

/**
 * The wait before the next try, in milliseconds: 0.5, 1, 2, 4, 8, 8, … seconds, each shortened by up to a half so that
 * many phones don't come back in step.
 * @param failures tries that have failed in a row, 1 or more
 * @param random a number in [0, 1)
 */
export function backoffMs(failures: number, random: number): number {
  const full = Math.min(BACKOFF_MS.longest, BACKOFF_MS.first * 2 ** (failures - 1));
  return Math.round(full * (1 - random / 2));
}
