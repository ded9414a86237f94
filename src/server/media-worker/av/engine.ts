import { AV_LOG_ERROR } from 'node-av/constants';
import { Log } from 'node-av/lib';
import type { Engine } from '../engine.ts';
import { makeLevelled } from '../plan/levelled.ts';
import { makeLight } from '../plan/light.ts';
import { seenFilm, seenSong } from '../plan/seen.ts';
import { carryOutFilm, makeFilm } from './film.ts';
import { withInput } from './input.ts';
import { measureSound } from './measure.ts';
import { drawPoster } from './poster.ts';
import { readTracks } from './probe.ts';
import { carryOutSong, makeSong } from './song.ts';

/** The FFmpeg that comes with the packages, in this very process. */
export function builtInEngine(): Engine {
  Log.setLevel(AV_LOG_ERROR);
  return {
    async probe(path, kind, progress) {
      const tracks = await withInput(path, (input) => readTracks(input, progress));
      return kind === 'film' ? seenFilm(tracks) : seenSong(tracks);
    },
    film: makeFilm,
    light: (work, progress) => {
      const read = (path: string) => withInput(path, (input) => readTracks(input, progress));
      return makeLight(work, { read, film: carryOutFilm }, progress);
    },
    song: makeSong,
    poster: drawPoster,
    level: (work, progress) =>
      makeLevelled(
        work,
        {
          read: (path) => withInput(path, (input) => readTracks(input, progress)),
          measure: measureSound,
          film: carryOutFilm,
          song: carryOutSong,
        },
        progress,
      ),
  };
}
