import type { Made } from '../door.ts';
import type { Progress } from '../progress.ts';
import { FileRefused } from '../refusal.ts';
import { type Anew, type FilmPlan, orRefuse, planFilm } from './film-plan.ts';
import { madeFilm } from './made.ts';
import type { Tracks } from './tracks.ts';

/** What FFmpeg does of it. */
type Hands = {
  read(path: string, progress: Progress): Promise<Tracks>;
  /** Says what of it is faulty. */
  film(path: string, made: string, plan: FilmPlan, progress: Progress): Promise<Anew>;
};

/** Makes of a stored film a light one: its moments are the same. */
export async function makeLight(
  { path, made }: { path: string; made: string },
  hands: Hands,
  progress: Progress,
): Promise<Made> {
  const plan = orRefuse(planFilm(await hands.read(path, progress), { light: true }));
  progress.weighs(plan.megapixels);
  const faulty = await hands.film(path, made, plan, progress);
  if (faulty.picture || faulty.sound) throw new FileRefused('damaged');
  return madeFilm(plan, null);
}
