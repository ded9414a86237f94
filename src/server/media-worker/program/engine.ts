import { basename, dirname, join } from 'node:path';
import type { Engine } from '../engine.ts';
import { makeDubbed, makeSounds } from '../plan/dubbed.ts';
import { type Hands, makeLevelled } from '../plan/levelled.ts';
import { makeLight } from '../plan/light.ts';
import { seenFilm, seenSong } from '../plan/seen.ts';
import type { Progress } from '../progress.ts';
import { carryOutFilm, makeFilm } from './film.ts';
import { measureSound } from './measure.ts';
import { drawPoster } from './poster.ts';
import { readTracks } from './probe.ts';
import { carryOutSong, makeSong } from './song.ts';
import { carryOutSounds } from './sounds.ts';
import { decodeWhole } from './whole.ts';

/** The system's FFmpeg, 5.1 or later, for machines that the built-in one isn't made for. `ffprobe` lies beside it. */
export function programEngine(ffmpeg: string): Engine {
  const programs = { ffmpeg, ffprobe: join(dirname(ffmpeg), basename(ffmpeg).replace('ffmpeg', 'ffprobe')) };
  const read = (path: string, progress: Progress) => readTracks(programs.ffprobe, path, progress);
  const hands: Hands = {
    read,
    measure: (...what) => measureSound(programs.ffmpeg, ...what),
    film: (...how) => carryOutFilm(programs, ...how),
    song: (...how) => carryOutSong(programs, ...how),
  };
  return {
    async probe(path, kind, progress) {
      const tracks = await read(path, progress);
      return kind === 'film' ? seenFilm(tracks) : seenSong(tracks);
    },
    film: (path, made, sound, progress) => makeFilm(programs, { path, made, sound }, progress),
    light: (work, progress) => makeLight(work, hands, progress),
    sounds: (work, progress) =>
      makeSounds(work, { read, sounds: (...how) => carryOutSounds(programs, ...how) }, progress),
    dub: (work, progress) => makeDubbed(work, hands, progress),
    song: (path, made, progress) => makeSong(programs, path, made, progress),
    whole: (path, progress) => decodeWhole(programs.ffmpeg, path, progress),
    level: (work, progress) => makeLevelled(work, hands, progress),
    poster: (path, made, second, progress) => drawPoster(programs, { path, made, second }, progress),
  };
}
