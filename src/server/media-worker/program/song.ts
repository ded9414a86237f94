import type { Made } from '../door.ts';
import { madeSong } from '../plan/made.ts';
import { planSong, type SongPlan } from '../plan/song-plan.ts';
import type { Progress } from '../progress.ts';
import { FileRefused } from '../refusal.ts';
import { inputArgs, isClean, LEAST_DECODED, make, outputArgs, soundArgs } from './make.ts';
import { measureSound } from './measure.ts';
import { readTracks } from './probe.ts';
import type { Programs } from './run.ts';

export async function makeSong(
  programs: Programs,
  path: string,
  made: string,
  progress: Progress,
): Promise<Made> {
  const tracks = await readTracks(programs.ffprobe, path, progress);
  for (const anew of [false, true]) {
    const plan = planSong(tracks, anew);
    if ('refused' in plan) throw new FileRefused(plan.refused);
    if (await carryOutSong(programs, path, made, plan, progress))
      return madeSong(plan, await measureSound(programs.ffmpeg, made, null, progress));
  }
  throw new FileRefused('damaged');
}

/** False when what was to be kept can't be decoded cleanly, or what was to be made hardly at all. */
export async function carryOutSong(
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
