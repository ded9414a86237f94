import { AV_LOG_ERROR } from 'node-av/constants';
import { Log } from 'node-av/lib';
import type { Engine } from '../engine.ts';
import { makeDubbed, makeSounds } from '../plan/dubbed.ts';
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
import { carryOutSounds } from './sounds.ts';
import { decodeWhole } from './whole.ts';

/** The FFmpeg that comes with the packages, in this very process. */
export function builtInEngine(): Engine {
  Log.setLevel(AV_LOG_ERROR);
  const read = (path: string, progress: Progress) => withInput(path, (input) => readTracks(input, progress));
  const hands = { read, measure: measureSound, film: carryOutFilm, song: carryOutSong };
  return {
    async probe(path, kind, progress) {
      const tracks = await read(path, progress);
      return kind === 'film' ? seenFilm(tracks) : seenSong(tracks);
    },
    film: makeFilm,
    light: (work, progress) => makeLight(work, hands, progress),
    sounds: (work, progress) => makeSounds(work, { read, sounds: carryOutSounds }, progress),
    dub: (work, progress) => makeDubbed(work, hands, progress),
    song: makeSong,
    poster: drawPoster,
    whole: decodeWhole,
    level: (work, progress) => makeLevelled(work, hands, progress),
  };
}
