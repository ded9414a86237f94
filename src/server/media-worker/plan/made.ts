import type { Made } from '../door.ts';
import type { FilmPlan } from './film-plan.ts';
import type { Loudness } from './loudness.ts';
import type { SongPlan } from './song-plan.ts';

/** What is told of a film that was made by this plan. */
export function madeFilm({ picture, sound, duration }: FilmPlan, heard: Loudness): Made {
  const kept = { picture: picture.how === 'keep', sound: sound?.how === 'keep' };
  const rest = { kept, hasSound: sound !== null, extension: 'mp4' } as const;
  return { duration, ...picture.size, ...rest, ...heard };
}

/** The same of a song. */
export function madeSong({ sound, as, duration }: SongPlan, heard: Loudness): Made {
  const kept = { picture: false, sound: sound.how === 'keep' };
  const rest = { kept, hasSound: true, extension: as } as const;
  return { duration, width: 0, height: 0, ...rest, ...heard };
}
