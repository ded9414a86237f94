import { AV_NOPTS_VALUE, AV_PKT_FLAG_DISCARD } from 'node-av/constants';
import { Dictionary, FormatContext, Packet, type Stream } from 'node-av/lib';
import { MAX_PIXELS } from '../bounds.ts';
import { INPUT_OPTIONS } from '../formats.ts';
import type { PacketTime, Times } from '../plan/times.ts';
import type { Progress } from '../progress.ts';
import { FileRejected } from '../refusal.ts';

/** Opens a file, calls `work` with it, and always closes it. */
export async function withInput<T>(path: string, work: (input: FormatContext) => Promise<T>): Promise<T> {
  const input = new FormatContext();
  using options = Dictionary.fromObject(INPUT_OPTIONS);
  if ((await input.openInput(path, null, options)) < 0) throw new FileRejected('unknown');
  try {
    // The next call decodes a little of each track, so too large pictures are refused first.
    if (input.streams.some(({ codecpar }) => codecpar.width * codecpar.height > MAX_PIXELS))
      throw new FileRejected('too_large');
    if ((await input.findStreamInfo(null)) < 0) throw new FileRejected('damaged');
    return await work(input);
  } finally {
    await input.closeInput();
  }
}

/** Calls `visit` with each packet until the file ends or it returns false. The packet is reused: a caller that stores it must clone it. */
export async function eachPacket(
  input: FormatContext,
  progress: Progress,
  visit: (packet: Packet) => Promise<boolean | undefined> | boolean | undefined,
): Promise<void> {
  using packet = new Packet();
  packet.alloc();
  while (input.readFrameSync(packet) >= 0) {
    progress.add(1);
    const goesOn = await visit(packet);
    packet.unref();
    if (goesOn === false) return;
    await progress.yieldToEventLoop();
  }
}

/** Returns a packet's times in seconds. */
export function timeOf(packet: Packet, { timeBase }: Stream): PacketTime {
  const seconds = (stamp: bigint) => (Number(stamp) * timeBase.num) / timeBase.den;
  const orNull = (stamp: bigint) => (stamp === AV_NOPTS_VALUE ? null : seconds(stamp));
  return {
    pts: orNull(packet.pts),
    dts: orNull(packet.dts),
    duration: seconds(packet.duration),
    bytes: packet.size,
    discarded: packet.hasFlags(AV_PKT_FLAG_DISCARD),
  };
}

/** Returns a probed track's stream with its packet times. Throws `FileRejected` if either is missing. */
export function timedStream(
  input: FormatContext,
  { index, times }: { index: number; times: Times | null },
): { stream: Stream; times: Times } {
  const stream = streamOf(input, index);
  if (times === null) throw new FileRejected('damaged');
  return { stream, times };
}

/** Returns a probed track's stream. Throws `FileRejected` if it is missing. */
export function streamOf(input: FormatContext, index: number): Stream {
  const stream = input.streams[index];
  if (stream === undefined) throw new FileRejected('damaged');
  return stream;
}
