import type { MediaResult } from '../door.ts';
import type { Progress } from '../progress.ts';
import { FileRejected } from '../refusal.ts';
import { type FilmPlan, orThrow, planFilm, type Reencode } from './film-plan.ts';
import { filmResult } from './made.ts';
import type { Tracks } from './tracks.ts';

/** Steps that FFmpeg runs. */
type EngineSteps = {
  read(path: string, progress: Progress): Promise<Tracks>;
  /** Writes the film and returns its faulty tracks. */
  film(path: string, made: string, plan: FilmPlan, progress: Progress): Promise<Reencode>;
};

/** Makes a light version of a stored film, with the same timestamps. */
export async function makeLight(
  { path, output }: { path: string; output: string },
  engine: EngineSteps,
  progress: Progress,
): Promise<MediaResult> {
  const plan = orThrow(planFilm(await engine.read(path, progress), { light: true }));
  progress.setWorkload(plan.megapixels);
  const faulty = await engine.film(path, output, plan, progress);
  if (faulty.picture || faulty.sound) throw new FileRejected('damaged');
  return filmResult(plan, null);
}
