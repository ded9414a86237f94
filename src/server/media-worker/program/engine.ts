import { basename, dirname, join } from 'node:path';
import type { Engine } from '../engine.ts';
import { makeLevelled } from '../plan/levelled.ts';
import { makeLight } from '../plan/light.ts';
import { seenFilm, seenSong } from '../plan/seen.ts';
import { carryOutFilm, makeFilm } from './film.ts';
import { measureSound } from './measure.ts';
import { drawPoster } from './poster.ts';
import { readTracks } from './probe.ts';
import { carryOutSong, makeSong } from './song.ts';

/** The system's FFmpeg, 5.1 or later, for machines that the built-in one isn't made for. `ffprobe` lies beside it. */
export function programEngine(ffmpeg: string): Engine {
  const programs = { ffmpeg, ffprobe: join(dirname(ffmpeg), basename(ffmpeg).replace('ffmpeg', 'ffprobe')) };
  return {
    async probe(path, kind, progress) {
      const tracks = await readTracks(programs.ffprobe, path, progress);
      return kind === 'film' ? seenFilm(tracks) : seenSong(tracks);
    },
    film: (path, made, sound, progress) => makeFilm(programs, { path, made, sound }, progress),
    light: (work, progress) => {
      const read = (path: string) => readTracks(programs.ffprobe, path, progress);
      return makeLight(work, { read, film: (...how) => carryOutFilm(programs, ...how) }, progress);
    },
    song: (path, made, progress) => makeSong(programs, path, made, progress),
    level: (work, progress) =>
      makeLevelled(
        work,
        {
          read: (path) => readTracks(programs.ffprobe, path, progress),
          measure: (path, index, part) => measureSound(programs.ffmpeg, path, index, part),
          film: (...how) => carryOutFilm(programs, ...how),
          song: (...how) => carryOutSong(programs, ...how),
        },
        progress,
      ),
    poster: (path, made, second, progress) => drawPoster(programs, { path, made, second }, progress),
  };
}
