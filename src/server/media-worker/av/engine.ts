import { AV_LOG_ERROR } from 'node-av/constants';
import { Log } from 'node-av/lib';
import type { ProbeResult } from '../door.ts';
import { makeLight } from '../plan/light.ts';
import { filmProbeResult, songProbeResult } from '../plan/seen.ts';
import type { Progress } from '../progress.ts';
import { carryOutFilm, makeFilm } from './film.ts';
import { withInput } from './input.ts';
import { drawPoster } from './poster.ts';
import { readTracks } from './probe.ts';
import { makeSong } from './song.ts';
import { decodeAll } from './whole.ts';

Log.setLevel(AV_LOG_ERROR);

const read = (path: string, progress: Progress) => withInput(path, (input) => readTracks(input, progress));

/** FFmpeg's tasks, run in this process. They reject with `FileRejected` if the file is at fault. */
export const engine = {
  async probe(path: string, kind: 'film' | 'song', progress: Progress): Promise<ProbeResult> {
    const tracks = await read(path, progress);
    return kind === 'film' ? filmProbeResult(tracks) : songProbeResult(tracks);
  },
  film: makeFilm,
  light: (work: { path: string; output: string }, progress: Progress) =>
    makeLight(work, { read, film: carryOutFilm }, progress),
  song: makeSong,
  poster: drawPoster,
  whole: decodeAll,
};
