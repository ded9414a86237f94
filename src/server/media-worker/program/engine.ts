import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Made } from '../door.ts';
import type { Engine } from '../engine.ts';
import {
  type Anew,
  type FilmPlan,
  LEVEL,
  NOTHING,
  nextTry,
  type PicturePlan,
  planFilm,
  type SoundPlan,
} from '../plan/film-plan.ts';
import { posterFilters, posterSize } from '../plan/poster.ts';
import { seenFilm, seenSong } from '../plan/seen.ts';
import { MOST_FRAMES } from '../plan/size.ts';
import { planSong, type SongPlan } from '../plan/song-plan.ts';
import type { Times } from '../plan/times.ts';
import type { Progress } from '../progress.ts';
import { FileRefused } from '../refusal.ts';
import { endArgs, inputArgs, isClean, make, outputArgs, pictureArgs, posterArgs, soundArgs } from './make.ts';
import { readTracks } from './probe.ts';
import { runProgram } from './run.ts';

/** Less than this share of what there is could be decoded: what is left is nothing to show. */
const LEAST_DECODED = 0.8;

type Programs = { ffmpeg: string; ffprobe: string };

/** The system's FFmpeg, 5.1 or later, for machines that the built-in one isn't made for. `ffprobe` lies beside it. */
export function programEngine(ffmpeg: string): Engine {
  const programs = { ffmpeg, ffprobe: join(dirname(ffmpeg), basename(ffmpeg).replace('ffmpeg', 'ffprobe')) };
  return {
    async probe(path, kind, progress) {
      const tracks = await readTracks(programs.ffprobe, path, progress);
      return kind === 'film' ? seenFilm(tracks) : seenSong(tracks);
    },
    film: (path, made, sound, progress) => makeFilm(programs, { path, made, sound }, progress),
    song: (path, made, progress) => makeSong(programs, path, made, progress),
    poster: (path, made, second, progress) => drawPoster(programs, { path, made, second }, progress),
  };
}

type FilmWork = { path: string; made: string; sound: number | null };

async function makeFilm(
  programs: Programs,
  { path, made, sound }: FilmWork,
  progress: Progress,
): Promise<Made> {
  const tracks = await readTracks(programs.ffprobe, path, progress);
  for (let anew: Anew | null = NOTHING; anew !== null; ) {
    const plan = planFilm(tracks, { sound, anew });
    if ('refused' in plan) throw new FileRefused(plan.refused);
    progress.weighs(plan.megapixels);
    const faulty = await carryOutFilm(programs, path, made, plan, progress);
    if (!faulty.picture && !faulty.sound) return describeFilm(plan);
    anew = nextTry(plan, anew, faulty);
  }
  throw new FileRefused('damaged');
}

function describeFilm({ picture, sound, duration }: FilmPlan): Made {
  const kept = { picture: picture.how === 'keep', sound: sound?.how === 'keep' };
  return { duration, ...picture.size, kept, hasSound: sound !== null, extension: 'mp4' };
}

/** Carries a plan out, and says what of it is faulty. */
async function carryOutFilm(
  { ffmpeg, ffprobe }: Programs,
  path: string,
  made: string,
  plan: FilmPlan,
  progress: Progress,
): Promise<Anew> {
  const { picture, sound, origin, duration } = plan;
  const isUnclean = async (kept: PicturePlan | SoundPlan | null) =>
    kept?.how === 'keep' && !(await isClean(ffmpeg, path, [kept.track.index], progress));
  const unclean = { picture: await isUnclean(picture), sound: await isUnclean(sound) };
  if (unclean.picture || unclean.sound) return unclean;
  const args = [
    ...inputArgs(path, origin),
    ...pictureArgs(picture),
    ...(sound === null ? [] : soundArgs(sound)),
    ...endArgs(plan),
    ...outputArgs(made, 'mp4'),
  ];
  const pictures = await make(ffmpeg, args, duration, progress);
  if (pictures === null) return { picture: true, sound: sound !== null };
  if (picture.how === 'make') return { picture: pictures < leastOf(picture.track.times), sound: false };
  if (!picture.relevel) return NOTHING;
  const relevelled = await readTracks(ffprobe, made, progress);
  return { picture: relevelled.pictures.some(({ level }) => level > LEVEL), sound: false };
}

/** As many pictures as must come out; of too many in a second at least every other of those that are wanted stays. */
function leastOf(times: Times | null): number {
  if (times === null) return 1;
  const { shown, start, end, mostInASecond } = times;
  const wanted = mostInASecond > MOST_FRAMES ? ((end - start) * MOST_FRAMES) / 2 : shown;
  return Math.max(1, LEAST_DECODED * (Math.min(shown, wanted) - 2));
}

async function makeSong(programs: Programs, path: string, made: string, progress: Progress): Promise<Made> {
  const tracks = await readTracks(programs.ffprobe, path, progress);
  for (const anew of [false, true]) {
    const plan = planSong(tracks, anew);
    if ('refused' in plan) throw new FileRefused(plan.refused);
    if (await carryOutSong(programs, path, made, plan, progress)) return describeSong(plan);
  }
  throw new FileRefused('damaged');
}

function describeSong({ sound, as, duration }: SongPlan): Made {
  const kept = { picture: false, sound: sound.how === 'keep' };
  return { duration, width: 0, height: 0, kept, hasSound: true, extension: as };
}

async function carryOutSong(
  { ffmpeg, ffprobe }: Programs,
  path: string,
  made: string,
  { sound, as, origin, duration }: SongPlan,
  progress: Progress,
): Promise<boolean> {
  if (sound.how === 'keep' && !(await isClean(ffmpeg, path, [sound.track.index], progress))) return false;
  const format = as === 'mp3' ? 'mp3' : 'mp4';
  const args = [...inputArgs(path, origin), ...soundArgs(sound), ...outputArgs(made, format)];
  if ((await make(ffmpeg, args, duration, progress)) === null) return false;
  const [times] = (await readTracks(ffprobe, made, progress)).sounds.map((track) => track.times);
  return times !== null && times !== undefined && times.end >= LEAST_DECODED * duration - 0.1;
}

type PosterWork = { path: string; made: string; second: number };

async function drawPoster(
  { ffmpeg, ffprobe }: Programs,
  work: PosterWork,
  progress: Progress,
): Promise<Made> {
  const tracks = await readTracks(ffprobe, work.path, progress);
  const plan = planFilm(tracks, { anew: { picture: true, sound: false } });
  if ('refused' in plan) throw new FileRefused(plan.refused);
  const { picture } = plan;
  if (picture.how !== 'make') throw new FileRefused('damaged');
  const drawn = async (second: number) => {
    await rm(work.made, { force: true });
    const filters = posterFilters(picture.upright, picture.size);
    const args = posterArgs({ ...work, second, track: picture.track.index, filters });
    progress.did(1);
    const { ok } = await runProgram(ffmpeg, args, () => undefined);
    return ok && existsSync(work.made);
  };
  if (!(await drawn(work.second)) && !(await drawn(0))) throw new FileRefused('damaged');
  const kept = { picture: false, sound: false };
  return { duration: 0, ...posterSize(picture.size), kept, hasSound: false, extension: 'jpg' };
}
