import type { SoundsPlan } from '../plan/dubbed.ts';
import type { SoundPlan } from '../plan/film-plan.ts';
import type { Times } from '../plan/times.ts';
import type { Progress } from '../progress.ts';
import { endArgs, inputArgs, isClean, LEAST_DECODED, make, outputArgs, soundArgs } from './make.ts';
import { readTracks } from './probe.ts';
import type { Programs } from './run.ts';

/** Writes sounds side by side into a file. Says of each whether it is faulty. */
export async function carryOutSounds(
  { ffmpeg, ffprobe }: Programs,
  path: string,
  made: string,
  { sounds, origin, duration }: SoundsPlan,
  progress: Progress,
): Promise<boolean[]> {
  const unclean: boolean[] = [];
  for (const { how, track } of sounds)
    unclean.push(how === 'keep' && !(await isClean(ffmpeg, path, [track.index], progress)));
  if (unclean.includes(true)) return unclean;
  const args = [
    ...inputArgs(path, origin),
    ...sounds.flatMap((sound, place) => soundArgs(sound, 0, place)),
    ...endArgs(
      sounds.map(({ track }) => track),
      origin,
    ),
    ...outputArgs(made, 'mp4'),
  ];
  if ((await make(ffmpeg, args, duration, progress)) === null) return sounds.map(() => true);
  const written = (await readTracks(ffprobe, made, progress)).sounds.map(({ times }) => times);
  return sounds.map((sound, place) => !isWhole(sound, written[place] ?? null));
}

const lengthOf = (times: Times | null) => (times === null ? 0 : times.end - times.start);

const isWhole = ({ track }: SoundPlan, written: Times | null) =>
  written !== null && lengthOf(written) >= LEAST_DECODED * lengthOf(track.times) - 0.1;
