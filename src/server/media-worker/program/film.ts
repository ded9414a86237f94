import type { Made } from '../door.ts';
import { expectedSeconds } from '../plan/estimate.ts';
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
import { madeFilm } from '../plan/made.ts';
import type { Times } from '../plan/times.ts';
import type { Progress } from '../progress.ts';
import { FileRefused } from '../refusal.ts';
import {
  besideArgs,
  endArgs,
  inputArgs,
  isClean,
  LEAST_DECODED,
  make,
  outputArgs,
  pictureArgs,
  soundArgs,
} from './make.ts';
import { measureSound } from './measure.ts';
import { readTracks } from './probe.ts';
import type { Programs } from './run.ts';

type FilmWork = { path: string; made: string; sound: number | null };

export async function makeFilm(
  programs: Programs,
  { path, made, sound }: FilmWork,
  progress: Progress,
): Promise<Made> {
  const tracks = await readTracks(programs.ffprobe, path, progress);
  for (let anew: Anew | null = NOTHING; anew !== null; ) {
    const plan = planFilm(tracks, { sound, anew });
    if ('refused' in plan) throw new FileRefused(plan.refused);
    progress.weighs(plan.megapixels, expectedSeconds(plan));
    const faulty = await carryOutFilm(programs, path, made, plan, progress);
    if (!faulty.picture && !faulty.sound)
      return madeFilm(plan, await measureSound(programs.ffmpeg, made, null, progress));
    anew = nextTry(plan, anew, faulty);
  }
  throw new FileRefused('damaged');
}

const isKnown = (kept: PicturePlan | SoundPlan) => 'known' in kept && kept.known;

/** Carries a plan out, and says what of it is faulty. */
export async function carryOutFilm(
  { ffmpeg, ffprobe }: Programs,
  path: string,
  made: string,
  plan: FilmPlan,
  progress: Progress,
): Promise<Anew> {
  const { picture, sound, soundFile, origin, duration } = plan;
  const isUnclean = async (file: string, kept: PicturePlan | SoundPlan | null) =>
    kept?.how === 'keep' && !isKnown(kept) && !(await isClean(ffmpeg, file, [kept.track.index], progress));
  const unclean = {
    picture: await isUnclean(path, picture),
    sound: await isUnclean(soundFile ?? path, sound),
  };
  if (unclean.picture || unclean.sound) return unclean;
  const args = [
    ...inputArgs(path, origin),
    ...(soundFile === null ? [] : besideArgs(soundFile)),
    ...pictureArgs(picture),
    ...(sound === null ? [] : soundArgs(sound, soundFile === null ? 0 : 1)),
    ...endArgs(sound === null ? [picture.track] : [picture.track, sound.track], origin),
    ...outputArgs(made, 'mp4'),
  ];
  const pictures = await make(ffmpeg, args, duration, progress);
  if (pictures === null) return { picture: true, sound: sound !== null };
  if (picture.how === 'make')
    return { picture: pictures < leastOf(picture.track.times, picture.mostFrames), sound: false };
  if (!picture.relevel) return NOTHING;
  const relevelled = await readTracks(ffprobe, made, progress);
  return { picture: relevelled.pictures.some(({ level }) => level > LEVEL), sound: false };
}

/** As many pictures as must come out; of too many in a second at least every other of those that are wanted stays. */
function leastOf(times: Times | null, most: number): number {
  if (times === null) return 1;
  const { shown, start, end, mostInASecond } = times;
  const wanted = mostInASecond > most ? ((end - start) * most) / 2 : shown;
  return Math.max(1, LEAST_DECODED * (Math.min(shown, wanted) - 2));
}
