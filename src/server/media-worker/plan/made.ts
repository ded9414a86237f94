import type { Made } from '../door.ts';
import type { FilmPlan } from './film-plan.ts';
import type { Loudness } from './loudness.ts';
import type { SongPlan } from './song-plan.ts';
import { choiceOf } from './sounds.ts';

/** What is told of a film that was made by this plan. */
export function madeFilm({ picture, sound, choices, duration }: FilmPlan, heard: Loudness): Made {
  const kept = { picture: picture.how === 'keep', sound: sound?.how === 'keep' };
  const sounds = { sounds: choices.map(choiceOf), sound: sound?.track.index ?? null };
  const rest = { kept, hasSound: sound !== null, extension: 'mp4' } as const;
  return { duration, ...picture.size, ...rest, ...heard, ...sounds };
}

/** The same of a song. */
export function madeSong({ sound, as, duration }: SongPlan, heard: Loudness): Made {
  const kept = { picture: false, sound: sound.how === 'keep' };
  const rest = { kept, hasSound: true, extension: as } as const;
  return { duration, width: 0, height: 0, ...rest, ...heard, ...NO_CHOICE };
}

/** Of what isn't a film. */
export const NO_CHOICE = { sounds: [], sound: null };
