import { availableParallelism } from 'node:os';
import { AV_CHANNEL_ORDER_UNSPEC, AV_FRAME_FLAG_CORRUPT, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import {
  avChannelLayoutDefault,
  avChannelLayoutDescribe,
  avGetSampleFmtName,
  Codec,
  CodecContext,
  Dictionary,
  Filter,
  type FilterContext,
  FilterGraph,
  FilterInOut,
  Frame,
  type Packet,
  type Stream,
} from 'node-av/lib';
import { MAX_PIXELS } from '../plan/film-plan.ts';
import { checkStatus, needsMoreInput, requireAllocated, UnsupportedInput } from './files.ts';

/** Larger pictures are decoded by one thread, in pixels. 8K takes 50 MB each, and every thread holds several. */
const LARGE_PIXELS = 16_000_000;

/** Decodes a track's packets in order. */
export type Decoder = {
  /** Decodes a packet; null flushes the decoder. */
  put(packet: Packet | null): Promise<void>;
  /** Number of faulty packets and frames. */
  faults(): number;
  frames(): number;
  close(): void;
};

/** Takes one frame at a time. It is reused: each is valid until the next. */
type FrameTaker = (frame: Frame) => Promise<void> | void;

/** Returns null if no decoder supports the track. */
export async function openDecoder(stream: Stream, take: FrameTaker): Promise<Decoder | null> {
  const codec = Codec.findDecoder(stream.codecpar.codecId);
  if (codec === null) return null;
  const context = new CodecContext();
  context.allocContext3(codec);
  checkStatus(context.parametersToContext(stream.codecpar), 'reading what a track is');
  context.pktTimebase = stream.timeBase;
  const isPicture = stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO;
  const isLarge = stream.codecpar.width * stream.codecpar.height > LARGE_PIXELS;
  const threads = isPicture && !isLarge ? Math.min(4, availableParallelism()) : 1;
  using options = Dictionary.fromObject({ threads, max_pixels: MAX_PIXELS });
  if ((await context.open2(codec, options)) < 0) {
    context.freeContext();
    return null;
  }
  const frame = new Frame();
  frame.alloc();
  let [faults, frames] = [0, 0];
  return {
    async put(packet) {
      const sent = await context.sendPacket(packet);
      if (sent < 0 && !needsMoreInput(sent)) faults += 1;
      for (;;) {
        const status = await context.receiveFrame(frame);
        if (needsMoreInput(status)) return;
        if (status < 0 || frame.decodeErrorFlags !== 0 || frame.hasFlags(AV_FRAME_FLAG_CORRUPT)) faults += 1;
        if (status < 0) return;
        frames += 1;
        await take(frame);
        frame.unref();
      }
    },
    faults: () => faults,
    frames: () => frames,
    close() {
      frame.free();
      context.freeContext();
    },
  };
}

/**
 * Opens a decoder whose frames pass through FFmpeg filters to `take`. Returns null if no decoder supports the track.
 * @param filters description in FFmpeg's filtergraph syntax
 * @param prepare changes a decoded frame, and returns false to drop it
 */
export async function openFilteredDecoder(
  stream: Stream,
  filters: string,
  take: FrameTaker,
  prepare: (frame: Frame) => boolean = () => true,
): Promise<Decoder | null> {
  const outputFrame = new Frame();
  outputFrame.alloc();
  let built: BuiltFilters | null = null;

  /** Passes a frame, or the end, into the filters and takes what comes out. */
  const pass = async ({ source, sink }: BuiltFilters, frame: Frame | null) => {
    checkStatus(await source.buffersrcAddFrame(frame), frame === null ? 'ending a filter' : 'filtering');
    for (;;) {
      const status = await sink.buffersinkGetFrame(outputFrame);
      if (needsMoreInput(status)) return;
      checkStatus(status, 'filtering');
      await take(outputFrame);
      outputFrame.unref();
    }
  };
  const end = async () => {
    if (built === null) return;
    await pass(built, null);
    built.graph.free();
    built = null;
  };
  const decoder = await openDecoder(stream, async (frame) => {
    if (!prepare(frame)) return;
    const sourceArgs = toSourceArgs(frame, stream);
    // The filters are rebuilt when the frames' format changes.
    if (built?.sourceArgs !== sourceArgs) await end();
    built ??= await buildFilters(filters, sourceArgs, frame.isVideo());
    await pass(built, frame);
  });
  if (decoder === null) {
    outputFrame.free();
    return null;
  }
  return {
    ...decoder,
    async put(packet) {
      await decoder.put(packet);
      if (packet === null) await end();
    },
    close() {
      built?.graph.free();
      outputFrame.free();
      decoder.close();
    },
  };
}

type BuiltFilters = { sourceArgs: string; graph: FilterGraph; source: FilterContext; sink: FilterContext };

/** Returns the arguments of a filter source for frames like this one. */
function toSourceArgs(frame: Frame, { timeBase: { num, den } }: Stream): string {
  if (frame.isVideo())
    return [
      `video_size=${frame.width}x${frame.height}`,
      `pix_fmt=${frame.format}`,
      `time_base=${num}/${den}`,
      'pixel_aspect=1/1',
      `colorspace=${frame.colorSpace}`,
      `range=${frame.colorRange}`,
    ].join(':');
  const { channelLayout } = frame;
  const layout =
    channelLayout.order === AV_CHANNEL_ORDER_UNSPEC
      ? avChannelLayoutDefault(channelLayout.nbChannels)
      : channelLayout;
  const sample = avGetSampleFmtName(frame.format as Parameters<typeof avGetSampleFmtName>[0]);
  return [
    `time_base=${num}/${den}`,
    `sample_rate=${frame.sampleRate}`,
    `sample_fmt=${sample}`,
    `channel_layout=${avChannelLayoutDescribe(layout)}`,
  ].join(':');
}

async function buildFilters(filters: string, sourceArgs: string, isVideo: boolean): Promise<BuiltFilters> {
  const graph = new FilterGraph();
  graph.alloc();
  const create = (kind: string, name: string, args?: string) =>
    graph.createFilter(requireAllocated(Filter.getByName(kind), kind), name, args);
  const source = create(isVideo ? 'buffer' : 'abuffer', 'source', sourceArgs);
  // The filter exists, but it doesn't accept frames of this format.
  if (source === null) throw new UnsupportedInput();
  const sink = requireAllocated(create(isVideo ? 'buffersink' : 'abuffersink', 'sink'), 'sink');
  // FFmpeg's view: an open input of the description leads to our sink, an open output comes from our source.
  const inputs = FilterInOut.createList([{ name: 'out', filterCtx: sink, padIdx: 0 }]);
  const outputs = FilterInOut.createList([{ name: 'in', filterCtx: source, padIdx: 0 }]);
  checkStatus(graph.parsePtr(`[in]${filters}[out]`, inputs, outputs), 'reading filters');
  checkStatus(await graph.config(), 'joining filters');
  return { sourceArgs, graph, source, sink };
}
