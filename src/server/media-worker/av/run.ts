import type { FormatContext } from 'node-av/lib';
import type { Times } from '../plan/times.ts';
import type { Progress } from '../progress.ts';
import { eachPacket, timeOf } from './input.ts';
import type { TrackPipeline } from './lane.ts';

/** Smallest share of the pictures that must be decoded; fewer aren't worth showing. */
const MIN_DECODED_SHARE = 0.8;

type Span = { origin: number; duration: number };

/** Sends every packet to the pipeline of its track, to the end of the file. */
export async function run(
  input: FormatContext,
  lanes: readonly TrackPipeline[],
  { origin, duration }: Span,
  progress: Progress,
): Promise<void> {
  const byIndex = new Map(lanes.map((lane) => [lane.index, lane]));
  const { streams } = input;
  await eachPacket(input, progress, async (packet) => {
    const lane = byIndex.get(packet.streamIndex);
    const stream = streams[packet.streamIndex];
    if (lane === undefined || stream === undefined) return;
    const { pts, dts } = timeOf(packet, stream);
    await lane.put(packet);
    progress.share(((pts ?? dts ?? 0) - origin) / duration);
  });
  for (const lane of lanes) await lane.end();
}

/** Returns true if a copied track has no faults, or enough of a re-encoded one could be decoded. */
export function isUsable(lane: TrackPipeline, how: 'keep' | 'make', times: Times | null): boolean {
  if (how === 'keep') return lane.faults() === 0;
  return lane.frames() >= Math.max(1, MIN_DECODED_SHARE * ((times?.shown ?? 0) - 2));
}
