import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_NOPTS_VALUE,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
  AV_SAMPLE_FMT_FLTP,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  FF_ENCODER_AAC,
  FF_ENCODER_LIBX264,
  type FFEncoderCodec,
} from 'node-av/constants';
import {
  avChannelLayoutDefault,
  Codec,
  CodecContext,
  Dictionary,
  type FormatContext,
  type Frame,
  Packet,
  Rational,
  type Stream,
} from 'node-av/lib';
import { FileRejected } from '../child/task.ts';
import type { PicturePlan, SoundPlan } from '../plan/film-plan.ts';
import type { Times } from '../plan/times.ts';
import { checkStatus, needsMoreInput, requireAllocated, toTicks } from './files.ts';
import { openFilteredDecoder } from './frames.ts';

/** Processing of one track: packets of the source in, packets of the output out. */
export type TrackPipeline = {
  put(packet: Packet): Promise<void>;
  /** Ends the track and flushes its remaining packets. */
  end(): Promise<void>;
  /** Number of packets and frames with decoding errors. */
  faults(): number;
  frames(): number;
  close(): void;
};

/** A probed track. `originSeconds`: its time that becomes zero. */
export type TrackSource = { stream: Stream; times: Times; originSeconds: number };

type MakePlan = (PicturePlan | SoundPlan) & { how: 'make' };

/** Decodes a track, filters it and re-encodes it. Timestamps are preserved. */
export async function encodeTrack(
  output: FormatContext,
  plan: MakePlan,
  { stream, times, originSeconds }: TrackSource,
): Promise<TrackPipeline> {
  const encoder = await trackEncoder(plan);
  const target = output.newStream(null);
  checkStatus(target.codecpar.fromContext(encoder), 'describing a track');
  target.timeBase = encoder.timeBase;
  const packet = new Packet();
  packet.alloc();
  const origin = toTicks(originSeconds, stream.timeBase);
  let latest: bigint | null = null;

  const drain = async () => {
    for (;;) {
      const status = await encoder.receivePacket(packet);
      if (needsMoreInput(status)) return;
      checkStatus(status, 'encoding');
      packet.rescaleTs(encoder.timeBase, target.timeBase);
      // Only the last duration matters: the other pictures stay until the next one.
      if ('size' in plan) packet.duration = BigInt(Math.max(1, Math.round(times.last * target.timeBase.den)));
      packet.streamIndex = target.index;
      await writePacket(output, packet);
    }
  };
  const encode = async (frame: Frame) => {
    // Drops a frame with the same or an earlier time: the first one has been shown.
    if (latest !== null && frame.pts <= latest) return;
    latest = frame.pts;
    // The encoder chooses the picture type, not the source.
    if (frame.isVideo()) frame.pictType = AV_PICTURE_TYPE_NONE;
    checkStatus(await encoder.sendFrame(frame), 'encoding');
    await drain();
  };
  const decoder = await openFilteredDecoder(stream, plan.filters, encode, (frame) => {
    if (frame.bestEffortTimestamp === AV_NOPTS_VALUE) return false;
    frame.pts = frame.bestEffortTimestamp - origin;
    return true;
  });
  if (decoder === null) throw new FileRejected('undecodable');
  return {
    ...decoder,
    async end() {
      await decoder.put(null);
      checkStatus(await encoder.sendFrame(null), 'encoding');
      await drain();
    },
    close() {
      packet.free();
      decoder.close();
      encoder.freeContext();
    },
  };
}

/** Writes a packet. Takes its data: the packet is empty afterwards. */
export async function writePacket(output: FormatContext, packet: Packet): Promise<void> {
  checkStatus(await output.interleavedWriteFrame(packet), 'writing');
}

/** Opens the encoder of a track: for sound always FFmpeg's own, even if the build has others. */
function trackEncoder(plan: MakePlan): Promise<CodecContext> {
  if ('rate' in plan)
    return openEncoder(FF_ENCODER_AAC, plan.encoding, (context) => {
      context.sampleRate = plan.rate;
      context.sampleFormat = AV_SAMPLE_FMT_FLTP;
      context.channelLayout = avChannelLayoutDefault(plan.channels);
      context.timeBase = new Rational(1, plan.rate);
      context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
    });
  return openEncoder(FF_ENCODER_LIBX264, plan.encoding, (context) => {
    context.width = plan.size.width;
    context.height = plan.size.height;
    context.pixelFormat = AV_PIX_FMT_YUV420P;
    context.timeBase = new Rational(1, 90_000);
    context.framerate = new Rational(Math.round(plan.framesASecond * 1_000), 1_000);
    context.sampleAspectRatio = new Rational(1, 1);
    context.colorRange = AVCOL_RANGE_MPEG;
    context.colorPrimaries = AVCOL_PRI_BT709;
    context.colorTrc = AVCOL_TRC_BT709;
    context.colorSpace = AVCOL_SPC_BT709;
    context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  });
}

export async function openEncoder(
  name: FFEncoderCodec,
  settings: Record<string, string>,
  shape: (context: CodecContext) => void,
): Promise<CodecContext> {
  const codec = requireAllocated(Codec.findEncoderByName(name), name);
  const context = new CodecContext();
  context.allocContext3(codec);
  shape(context);
  using options = Dictionary.fromObject(settings);
  checkStatus(await context.open2(codec, options), 'beginning to encode');
  return context;
}
