import { AV_NOPTS_VALUE, AV_PKT_DATA_NEW_EXTRADATA, AV_PKT_FLAG_DISCARD } from 'node-av/constants';
import {
  BitStreamFilter,
  BitStreamFilterContext,
  type FormatContext,
  type Frame,
  type Packet,
  type Stream,
} from 'node-av/lib';
import type { Times } from '../plan/times.ts';
import { checkStatus, needsMoreInput, requireAllocated, toTicks } from './files.ts';
import { openDecoder } from './frames.ts';
import { type TrackPipeline, type TrackSource, writePacket } from './make-lane.ts';

/** Maximum number of packets that wait, the most that a decoder can hold. */
const MAX_WAITING = 32;

/**
 * Copies a track bit for bit. It is also decoded and the frames are discarded. Errors count as `faults`: a track that can't be decoded to
 * its end isn't worth copying.
 * @param relevel corrects the level of an H.264 track
 */
export async function copyTrack(
  output: FormatContext,
  source: TrackSource,
  relevel: boolean,
): Promise<TrackPipeline> {
  const { stream } = source;
  const target = output.newStream(null);
  const filter = relevel ? levelFilter(stream) : null;
  const parameters = filter?.outputCodecParameters ?? stream.codecpar;
  checkStatus(parameters.copy(target.codecpar), 'taking a track over');
  target.codecpar.codecTag = 0;
  target.timeBase = stream.timeBase;
  const writer = writeBehind(output, target, source);
  // Cut packets are written only if a shown packet follows; at the end they aren't needed.
  const waiting: Packet[] = [];
  let [faults, isBegun] = [0, false];
  let latest: bigint | null = null;

  /** Counts a fault if frames leave the decoder out of presentation order. */
  const decoder = await openDecoder(stream, ({ pts }: Frame) => {
    if (pts === AV_NOPTS_VALUE) return;
    if (latest !== null && pts <= latest) faults += 1;
    latest = pts;
  });
  const pass = async (packet: Packet) => {
    if (filter === null) return writer.put(packet);
    checkStatus(filter.sendPacketSync(packet), 'telling a level');
    while (!needsMoreInput(filter.receivePacketSync(packet))) await writer.put(packet);
  };
  return {
    async put(packet) {
      const isCutAway = packet.hasFlags(AV_PKT_FLAG_DISCARD);
      if (packet.getSideData(AV_PKT_DATA_NEW_EXTRADATA) !== null) faults += 1;
      await decoder?.put(packet);
      if (isCutAway && isBegun) {
        if (waiting.length < MAX_WAITING) waiting.push(requireAllocated(packet.clone(), 'packet'));
        return;
      }
      isBegun ||= !isCutAway;
      for (const each of waiting.splice(0)) {
        await pass(each);
        each.free();
      }
      await pass(packet);
    },
    async end() {
      await writer.end();
      await decoder?.put(null);
    },
    faults: () => faults + writer.faults() + (decoder?.faults() ?? 1),
    frames: () => decoder?.frames() ?? 0,
    close() {
      for (const each of waiting) each.free();
      writer.close();
      filter?.free();
      decoder?.close();
    },
  };
}

/** Writes packets one behind, because a packet's duration is known only when the next one arrives. */
function writeBehind(output: FormatContext, target: Stream, { stream, times, originSeconds }: TrackSource) {
  const origin = toTicks(originSeconds, stream.timeBase);
  const last = lastLength(times, stream.timeBase.den / stream.timeBase.num);
  const order = decodingOrder(last.usual);
  let pending: Packet | null = null;
  const release = async (next: Packet | null) => {
    if (pending === null) return;
    if (next === null || pending.duration > last.most) pending.duration = last.fit(pending, next);
    pending.pts -= origin;
    pending.dts -= origin;
    pending.rescaleTs(stream.timeBase, target.timeBase);
    pending.streamIndex = target.index;
    await writePacket(output, pending);
    pending.free();
    pending = null;
  };
  const pass = async (packets: Packet[]) => {
    for (const packet of packets) {
      await release(packet);
      pending = packet;
    }
  };
  return {
    put: (packet: Packet) => pass(order.put(requireAllocated(packet.clone(), 'packet'))),
    async end() {
      await pass(order.rest());
      await release(null);
    },
    faults: order.faults,
    close() {
      pending?.free();
      for (const packet of order.rest()) packet.free();
    },
  };
}

/**
 * Gives every packet a decoding time, each later than the one before. Some containers omit the first ones; these are counted back from the
 * first known one. A packet to be shown before it is decoded is a fault and dropped.
 * @param usual duration of a packet, in the stream's ticks
 */
function decodingOrder(usual: bigint) {
  const withoutDts: Packet[] = [];
  let latest: bigint | null = null;
  let faults = 0;

  function inOrder(packet: Packet): Packet[] {
    if (packet.dts === AV_NOPTS_VALUE) packet.dts = latest === null ? packet.pts : latest + usual;
    if (packet.dts > packet.pts) packet.dts = packet.pts;
    if (latest !== null && packet.dts <= latest) packet.dts = latest + 1n;
    if (packet.dts <= packet.pts) {
      latest = packet.dts;
      return [packet];
    }
    faults += 1;
    packet.free();
    return [];
  }

  return {
    /** Takes ownership of a packet. Returns those that can be written now. */
    put(packet: Packet): Packet[] {
      const hasDts = packet.dts !== AV_NOPTS_VALUE;
      if (latest === null && !hasDts && withoutDts.length < MAX_WAITING) {
        withoutDts.push(packet);
        return [];
      }
      const before = withoutDts.splice(0);
      if (hasDts)
        for (const [i, each] of before.entries()) each.dts = packet.dts - BigInt(before.length - i) * usual;
      return [...before, packet].flatMap(inOrder);
    },
    rest: () => withoutDts.splice(0).flatMap(inOrder),
    faults: () => faults,
  };
}

/** Returns a filter that writes the level that the pictures really need. */
function levelFilter(stream: Stream): BitStreamFilterContext {
  const filter = new BitStreamFilterContext();
  const check = (status: number) => checkStatus(status, 'telling a level');
  check(filter.alloc(requireAllocated(BitStreamFilter.getByName('h264_metadata'), 'h264_metadata')));
  check(stream.codecpar.copy(requireAllocated(filter.inputCodecParameters, 'parameters')));
  filter.inputTimeBase = stream.timeBase;
  check(filter.setOption('level', 'auto'));
  check(filter.init());
  return filter;
}

/** Returns limits for packet durations, in ticks. A duration far above the others is only claimed: no packet follows to confirm it. */
function lastLength({ typical }: Times, ticks: number) {
  const usual = BigInt(Math.max(1, Math.round(typical * ticks)));
  const most = BigInt(Math.round(Math.max(1, 10 * typical) * ticks));
  return {
    most,
    usual,
    fit(packet: Packet, next: Packet | null): bigint {
      if (next !== null && next.dts !== AV_NOPTS_VALUE && next.dts > packet.dts) return next.dts - packet.dts;
      return packet.duration > 0n && packet.duration <= most ? packet.duration : usual;
    },
  };
}
