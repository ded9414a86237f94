import type { MediaKind } from './media-slots.ts';

/** The meter's value for silence (LUFS); sound at or below it counts as absent. */
export const SILENCE_LUFS = -70;

/** Integrated loudness of films and songs, in LUFS (EBU R128, decision 043). Television uses −23, phones' media about −16. */
export const LOUDNESS = {
  /** Below this, speech is hardly intelligible on a phone's loudspeaker at full volume. */
  quiet: -27,
  /** Above this, it is louder than the loudest masters: the visitor is startled, or turns it down and then misses what follows. */
  loud: -11,
  /** Difference (LU) above which consecutive media are perceived as different volumes. */
  apart: 4,
  /** Target range of songs, so that a song isn't compared with a film that is far too quiet or too loud. */
  songs: { min: -23, max: -12 },
} as const;

/** Warnings about a file's loudness. */
export const LOUDNESS_WARNINGS = ['TOO_QUIET', 'TOO_LOUD', 'QUIETER_THAN_FILM', 'LOUDER_THAN_FILM'] as const;
export type LoudnessWarning = (typeof LOUDNESS_WARNINGS)[number];

/**
 * Returns the warning about a file's loudness, or null. A song is compared with the film in use, because it follows that film;
 * if the film's loudness is unknown, the song is judged alone.
 * @param loudness in LUFS; null if silent or not measured
 * @param film loudness of the film in use; null if there is none or it is silent
 */
export function loudnessWarning(
  kind: MediaKind,
  loudness: number | null,
  film: number | null,
): LoudnessWarning | null {
  if (loudness === null) return null;
  if (kind === 'song' && film !== null) {
    const { songs } = LOUDNESS;
    const difference = loudness - Math.min(songs.max, Math.max(songs.min, film));
    if (Math.abs(difference) <= LOUDNESS.apart) return null;
    return difference < 0 ? 'QUIETER_THAN_FILM' : 'LOUDER_THAN_FILM';
  }
  if (loudness < LOUDNESS.quiet) return 'TOO_QUIET';
  return loudness > LOUDNESS.loud ? 'TOO_LOUD' : null;
}
