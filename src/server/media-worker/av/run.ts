import { AVDISCARD_ALL } from 'node-av/constants';
import { type FormatContext, Packet } from 'node-av/lib';
import type { Times } from '../plan/times.ts';
import type { Progress } from '../progress.ts';
import { eachPacket, streamOf, timeOf } from './input.ts';
import type { Lane } from './lane.ts';

/** Less than this share of what there is could be decoded: what is left is nothing to show. */
const LEAST_DECODED = 0.8;

type Span = { origin: number; duration: number };

/**
 * Sends every packet down its lane, to the end of the file.
 * @param beside another file that is read along
 */
export async function run(
  input: FormatContext,
  lanes: readonly Lane[],
  { origin, duration }: Span,
  progress: Progress,
  beside: Beside = NOTHING_BESIDE,
): Promise<void> {
  const byIndex = new Map(lanes.map((lane) => [lane.index, lane]));
  const { streams } = input;
  await eachPacket(input, progress, async (packet) => {
    const lane = byIndex.get(packet.streamIndex);
    const stream = streams[packet.streamIndex];
    if (lane === undefined || stream === undefined) return;
    const { pts, dts } = timeOf(packet, stream);
    await beside.until(dts ?? pts ?? 0);
    await lane.put(packet);
    progress.share(((pts ?? dts ?? 0) - origin) / duration);
  });
  await beside.until(Infinity);
  for (const lane of lanes) await lane.end();
}

/** A file that is read beside another, so that what belongs to the same moment is written together. */
type Beside = {
  /** Sends what comes until this moment (seconds) down its lane; at infinity it ends. */
  until(seconds: number): Promise<void>;
};
const NOTHING_BESIDE: Beside = { until: async () => undefined };

/** Reads the one track of a file that is its lane's. */
export function besideOf(input: FormatContext, lane: Lane, progress: Progress): Beside & { close(): void } {
  const stream = streamOf(input, lane.index);
  for (const each of input.streams) if (each.index !== lane.index) each.discard = AVDISCARD_ALL;
  const packet = new Packet();
  packet.alloc();
  let isRead = false;
  return {
    async until(seconds) {
      while (isRead || input.readFrameSync(packet) >= 0) {
        isRead = true;
        const { pts, dts } = timeOf(packet, stream);
        if ((dts ?? pts ?? 0) > seconds) return;
        if (packet.streamIndex === lane.index) await lane.put(packet);
        packet.unref();
        isRead = false;
        progress.did(1);
      }
      if (seconds === Infinity) await lane.end();
    },
    close: () => packet.free(),
  };
}

/** Kept: decoded without a fault. Made: enough of it could be decoded. */
export function isGood(lane: Lane, how: 'keep' | 'make', times: Times | null): boolean {
  if (how === 'keep') return lane.faults() === 0;
  return lane.frames() >= Math.max(1, LEAST_DECODED * ((times?.shown ?? 0) - 2));
}
