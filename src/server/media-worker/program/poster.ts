import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Made } from '../door.ts';
import { planFilm } from '../plan/film-plan.ts';
import { UNHEARD } from '../plan/loudness.ts';
import { NO_CHOICE } from '../plan/made.ts';
import { posterFilters, posterSize } from '../plan/poster.ts';
import type { Progress } from '../progress.ts';
import { FileRefused } from '../refusal.ts';
import { posterArgs } from './make.ts';
import { readTracks } from './probe.ts';
import { type Programs, runProgram } from './run.ts';

type PosterWork = { path: string; made: string; second: number };

/** Draws one of a film's pictures. */
export async function drawPoster(
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
  return {
    duration: 0,
    ...posterSize(picture.size),
    kept,
    hasSound: false,
    extension: 'jpg',
    ...UNHEARD,
    ...NO_CHOICE,
  };
}
