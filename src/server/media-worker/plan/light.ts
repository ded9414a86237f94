import type { Made } from '../door.ts';
import type { Progress } from '../progress.ts';
import { FileRefused } from '../refusal.ts';
import { orRefuse, planFilm } from './film-plan.ts';
import type { Hands } from './levelled.ts';
import { madeFilm } from './made.ts';

/** Makes of a stored film a light one: its moments are the same. */
export async function makeLight(
  { path, made }: { path: string; made: string },
  hands: Pick<Hands, 'read' | 'film'>,
  progress: Progress,
): Promise<Made> {
  const plan = orRefuse(planFilm(await hands.read(path, progress), { light: true }));
  progress.weighs(plan.megapixels);
  const faulty = await hands.film(path, made, plan, progress);
  if (faulty.picture || faulty.sound) throw new FileRefused('damaged');
  return madeFilm(plan, { loudness: null, peak: null });
}
