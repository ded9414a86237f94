import type { MediaKind } from './media-slots.ts';

/** What the meter says of silence (LUFS); what is as soft as that isn't there. */
export const SILENCE_LUFS = -70;

/** Loudness of films and songs as a whole, in LUFS (EBU R128, decision 48). Television is made at −23, what phones play at about −16. */
export const LOUDNESS = {
  /** On a phone's own loudspeaker, fully turned up, less than this is hardly understood. */
  quiet: -27,
  /** Louder than what is mastered as loud as possible: she starts, or turns it down and then misses what follows. */
  loud: -11,
  /** What follows one after the other and differs by more (LU) is heard as another volume. */
  apart: 4,
  /** A song is held against its film, but never against one that is far too quiet or too loud for a song. */
  songs: { min: -23, max: -12 },
} as const;

/** What is said of a file's loudness. */
export const LOUDNESS_WARNINGS = ['TOO_QUIET', 'TOO_LOUD', 'QUIETER_THAN_FILM', 'LOUDER_THAN_FILM'] as const;
export type LoudnessWarning = (typeof LOUDNESS_WARNINGS)[number];

/**
 * What is amiss with a file's loudness. A song is held against the film in use, because it follows it; where that isn't known, it is judged
 * by itself.
 * @param loudness in LUFS; null where nothing is heard or it was never measured
 * @param film the loudness of the film in use; null where there is none or nothing is heard
 */
export function loudnessWarning(
  kind: MediaKind,
  loudness: number | null,
  film: number | null,
): LoudnessWarning | null {
  if (loudness === null) return null;
  if (kind === 'song' && film !== null) {
    const { songs } = LOUDNESS;
    const apart = loudness - Math.min(songs.max, Math.max(songs.min, film));
    if (Math.abs(apart) <= LOUDNESS.apart) return null;
    return apart < 0 ? 'QUIETER_THAN_FILM' : 'LOUDER_THAN_FILM';
  }
  if (loudness < LOUDNESS.quiet) return 'TOO_QUIET';
  return loudness > LOUDNESS.loud ? 'TOO_LOUD' : null;
}
