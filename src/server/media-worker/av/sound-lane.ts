import type { FormatContext } from 'node-av/lib';
import type { SoundPlan } from '../plan/film-plan.ts';
import { timedStream } from './input.ts';
import { keepLane } from './keep-lane.ts';
import type { Lane } from './lane.ts';
import { makeLane, soundEncoder } from './make-lane.ts';
import type { Output } from './output.ts';

/** The way of the sound, of a film or of a song. */
export async function soundLane(
  input: FormatContext,
  output: Output,
  plan: SoundPlan,
  originSeconds: number,
): Promise<Lane> {
  const { stream, times } = timedStream(input, plan.track);
  if (plan.how === 'keep') return keepLane(output, { stream, times, originSeconds, relevel: false });
  const encoder = await soundEncoder(plan);
  return makeLane(output, { stream, filters: plan.filters, encoder, times, originSeconds });
}
