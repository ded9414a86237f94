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
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import {
  avChannelLayoutDefault,
  Codec,
  CodecContext,
  Dictionary,
  type Frame,
  Packet,
  Rational,
  type Stream,
} from 'node-av/lib';
import type { PicturePlan, SoundPlan } from '../plan/film-plan.ts';
import type { Times } from '../plan/times.ts';
import { FileRejected } from '../refusal.ts';
import { openDecoder } from './decoder.ts';
import { checkStatus, needsMoreInput, requireAllocated } from './errors.ts';
import { createTrackFilter } from './graph.ts';
import type { TrackPipeline } from './lane.ts';
import type { Output } from './output.ts';

type EncodeOptions = {
  stream: Stream;
  filters: string;
  encoder: CodecContext;
  times: Times;
  originSeconds: number;
};

/** Decodes a track, filters it and re-encodes it. Timestamps are preserved. */
export async function encodeTrack(output: Output, encodeOptions: EncodeOptions): Promise<TrackPipeline> {
  const { stream, filters, encoder, times, originSeconds } = encodeOptions;
  const { num, den } = stream.timeBase;
  const origin = BigInt(Math.round((originSeconds * den) / num));
  const decoder = await openDecoder(stream);
  if (decoder === null) throw new FileRejected('undecodable');
  const graph = createTrackFilter(filters, stream.timeBase);
  const target = output.addStream();
  checkStatus(target.codecpar.fromContext(encoder), 'describing a track');
  target.timeBase = encoder.timeBase;
  const packet = new Packet();
  packet.alloc();
  const isPicture = stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO;
  let latest: bigint | null = null;

  const drain = async () => {
    while (!needsMoreInput(checkEncoding(await encoder.receivePacket(packet)))) {
      packet.rescaleTs(encoder.timeBase, target.timeBase);
      // Only the last duration matters: the other pictures stay until the next one.
      if (isPicture) packet.duration = BigInt(Math.max(1, Math.round(times.last * target.timeBase.den)));
      packet.streamIndex = target.index;
      await output.write(packet);
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
  const filter = async (frame: Frame) => {
    if (frame.bestEffortTimestamp === AV_NOPTS_VALUE) return;
    frame.pts = frame.bestEffortTimestamp - origin;
    await graph.put(frame, encode);
  };
  return {
    index: stream.index,
    put: (each) => decoder.put(each, filter),
    async end() {
      await decoder.put(null, filter);
      await graph.put(null, encode);
      checkStatus(await encoder.sendFrame(null), 'encoding');
      await drain();
    },
    faults: () => decoder.faults(),
    frames: () => decoder.frames(),
    close() {
      packet.free();
      graph.close();
      decoder.close();
      encoder.freeContext();
    },
  };
}

/** Returns the status; throws if it is an error. */
function checkEncoding(status: number): number {
  if (!needsMoreInput(status)) checkStatus(status, 'encoding');
  return status;
}

export async function pictureEncoder({
  size,
  framesASecond,
  encoding,
}: PicturePlan & { how: 'make' }): Promise<CodecContext> {
  return openEncoder('libx264', encoding, (context) => {
    context.width = size.width;
    context.height = size.height;
    context.pixelFormat = AV_PIX_FMT_YUV420P;
    context.timeBase = new Rational(1, 90_000);
    context.framerate = new Rational(Math.round(framesASecond * 1_000), 1_000);
    context.sampleAspectRatio = new Rational(1, 1);
    context.colorRange = AVCOL_RANGE_MPEG;
    context.colorPrimaries = AVCOL_PRI_BT709;
    context.colorTrc = AVCOL_TRC_BT709;
    context.colorSpace = AVCOL_SPC_BT709;
  });
}

export async function soundEncoder({
  channels,
  rate,
  encoding,
}: Pick<SoundPlan & { how: 'make' }, 'channels' | 'rate' | 'encoding'>) {
  return openEncoder('aac', encoding, (context) => {
    context.sampleRate = rate;
    context.sampleFormat = AV_SAMPLE_FMT_FLTP;
    context.channelLayout = avChannelLayoutDefault(channels);
    context.timeBase = new Rational(1, rate);
  });
}

/** Opens an encoder by name: for sound always FFmpeg's own, even if the build has others. */
async function openEncoder(
  name: 'libx264' | 'aac',
  settings: Record<string, string>,
  shape: (context: CodecContext) => void,
): Promise<CodecContext> {
  const codec = requireAllocated(
    Codec.findEncoderByName(name as Parameters<typeof Codec.findEncoderByName>[0]),
    name,
  );
  const context = new CodecContext();
  context.allocContext3(codec);
  shape(context);
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  using options = Dictionary.fromObject(settings);
  checkStatus(await context.open2(codec, options), 'beginning to encode');
  return context;
}
