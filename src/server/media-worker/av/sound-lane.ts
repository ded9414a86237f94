import type { FormatContext } from 'node-av/lib';
import type { SoundPlan } from '../plan/film-plan.ts';
import { timedStream } from './input.ts';
import { copyTrack } from './keep-lane.ts';
import type { TrackPipeline } from './lane.ts';
import { encodeTrack, soundEncoder } from './make-lane.ts';
import type { Output } from './output.ts';

export async function soundPipeline(
  input: FormatContext,
  output: Output,
  plan: SoundPlan,
  originSeconds: number,
): Promise<TrackPipeline> {
  const { stream, times } = timedStream(input, plan.track);
  if (plan.how === 'keep') return copyTrack(output, { stream, times, originSeconds, relevel: false });
  const encoder = await soundEncoder(plan);
  return encodeTrack(output, { stream, filters: plan.filters, encoder, times, originSeconds });
}
