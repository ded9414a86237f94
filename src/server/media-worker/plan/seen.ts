import type { ProbeResult } from '../door.ts';
import { FileRejected } from '../refusal.ts';
import { isHdr, planFilm } from './film-plan.ts';
import { planSong } from './song-plan.ts';
import type { Tracks } from './tracks.ts';

/** Returns the properties of a film before its conversion. Throws `FileRejected` if it can't be converted. */
export function filmProbeResult(tracks: Tracks): ProbeResult {
  const plan = planFilm(tracks);
  if ('refused' in plan) throw new FileRejected(plan.refused);
  const { picture, sound, duration, megapixels } = plan;
  return {
    container: tracks.container,
    duration,
    picture: { codec: picture.track.codec, ...picture.size, hdr: isHdr(picture.track) },
    keeps: { picture: picture.how === 'keep', sound: sound?.how === 'keep' },
    megapixels,
  };
}

/** Returns the properties of a song before its conversion. Throws `FileRejected` if it can't be converted. */
export function songProbeResult(tracks: Tracks): ProbeResult {
  const plan = planSong(tracks);
  if ('refused' in plan) throw new FileRejected(plan.refused);
  return {
    container: tracks.container,
    duration: plan.duration,
    picture: null,
    keeps: { picture: false, sound: plan.sound.how === 'keep' },
    megapixels: 0,
  };
}
