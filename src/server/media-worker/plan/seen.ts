import type { Seen } from '../door.ts';
import { FileRefused } from '../refusal.ts';
import { isHdr, planFilm } from './film-plan.ts';
import { planSong } from './song-plan.ts';
import type { Tracks } from './tracks.ts';

/** What is told of a film before anything is made of it. */
export function seenFilm(tracks: Tracks): Seen {
  const plan = planFilm(tracks);
  if ('refused' in plan) throw new FileRefused(plan.refused);
  const { picture, sound, duration, megapixels } = plan;
  return {
    container: tracks.container,
    duration,
    picture: { codec: picture.track.codec, ...picture.size, hdr: isHdr(picture.track) },
    keeps: { picture: picture.how === 'keep', sound: sound?.how === 'keep' },
    megapixels,
  };
}

/** The same for a song. */
export function seenSong(tracks: Tracks): Seen {
  const plan = planSong(tracks);
  if ('refused' in plan) throw new FileRefused(plan.refused);
  return {
    container: tracks.container,
    duration: plan.duration,
    picture: null,
    keeps: { picture: false, sound: plan.sound.how === 'keep' },
    megapixels: 0,
  };
}
