import type { FileProblem } from '../door.ts';
import { beginsAtZero } from '../formats.ts';
import { boundsProblem, planSound, type SoundPlan } from './film-plan.ts';
import { soundOf, type Tracks } from './tracks.ts';

export type SongPlan = { sound: SoundPlan; as: 'm4a' | 'mp3'; origin: number; duration: number };

/** Shortest song in seconds; a shorter one was cut off just after its start. */
const SHORTEST_SONG_SECONDS = 0.2;

/** Returns the plan for a song or a film's sound, or the problem that prevents one. */
export function planSong(tracks: Tracks, reencode = false): SongPlan | { refused: FileProblem } {
  const track = soundOf(tracks);
  if (track?.isProtected === true) return { refused: 'protected' };
  if (tracks.isCutShort) return { refused: 'cut_short' };
  if (track === null || track.times === null)
    return { refused: tracks.sounds.length > 0 ? 'damaged' : 'no_sound' };
  if (!track.isReadable) return { refused: 'undecodable' };
  const refused = boundsProblem(tracks, [track.times], { width: 0, height: 0 });
  if (refused !== null) return { refused };
  const { start, end } = track.times;
  if (end - start < SHORTEST_SONG_SECONDS) return { refused: 'cut_short' };
  const isMp3 = tracks.container === 'mp3' && track.codec === 'mp3' && !reencode;
  return {
    sound: isMp3 ? { how: 'keep', track } : planSound(track, reencode),
    as: isMp3 ? 'mp3' : 'm4a',
    origin: beginsAtZero(tracks.container) ? 0 : start,
    duration: end - start,
  };
}
