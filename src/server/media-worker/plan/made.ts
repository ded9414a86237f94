import type { MediaResult } from '../door.ts';
import type { FilmPlan } from './film-plan.ts';
import type { SongPlan } from './song-plan.ts';

/**
 * Returns the result of a film made by this plan.
 * @param loudness in LUFS; null for silence or no sound
 */
export function filmResult({ picture, sound, duration }: FilmPlan, loudness: number | null): MediaResult {
  const kept = { picture: picture.how === 'keep', sound: sound?.how === 'keep' };
  const rest = { kept, hasSound: sound !== null, extension: 'mp4' } as const;
  return { duration, ...picture.size, ...rest, loudness };
}

export function songResult({ sound, as, duration }: SongPlan, loudness: number | null): MediaResult {
  const kept = { picture: false, sound: sound.how === 'keep' };
  const rest = { kept, hasSound: true, extension: as } as const;
  return { duration, width: 0, height: 0, ...rest, loudness };
}
