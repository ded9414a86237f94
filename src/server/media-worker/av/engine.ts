import { AV_LOG_ERROR } from 'node-av/constants';
import { Log } from 'node-av/lib';
import type { LevelWork, Seen } from '../door.ts';
import { makeLevelled } from '../plan/levelled.ts';
import { makeLight } from '../plan/light.ts';
import { seenFilm, seenSong } from '../plan/seen.ts';
import type { Progress } from '../progress.ts';
import { carryOutFilm, makeFilm } from './film.ts';
import { withInput } from './input.ts';
import { measureSound } from './measure.ts';
import { drawPoster } from './poster.ts';
import { readTracks } from './probe.ts';
import { carryOutSong, makeSong } from './song.ts';
import { decodeWhole } from './whole.ts';

Log.setLevel(AV_LOG_ERROR);

const read = (path: string, progress: Progress) => withInput(path, (input) => readTracks(input, progress));
const hands = { read, measure: measureSound, film: carryOutFilm, song: carryOutSong };

/** What FFmpeg does, in this very process. Rejects with `FileRefused` when it is the file's fault. */
export const engine = {
  async probe(path: string, kind: 'film' | 'song', progress: Progress): Promise<Seen> {
    const tracks = await read(path, progress);
    return kind === 'film' ? seenFilm(tracks) : seenSong(tracks);
  },
  film: makeFilm,
  light: (work: { path: string; made: string }, progress: Progress) => makeLight(work, hands, progress),
  song: makeSong,
  poster: drawPoster,
  whole: decodeWhole,
  level: (work: LevelWork, progress: Progress) => makeLevelled(work, hands, progress),
};
