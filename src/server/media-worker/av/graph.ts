import { AV_CHANNEL_ORDER_UNSPEC } from 'node-av/constants';
import {
  avChannelLayoutDefault,
  avChannelLayoutDescribe,
  avGetSampleFmtName,
  Filter,
  type FilterContext,
  FilterGraph,
  FilterInOut,
  Frame,
} from 'node-av/lib';
import { checkStatus, needsMoreInput, requireAllocated, UnsupportedInput } from './errors.ts';

export type Fraction = { num: number; den: number };

/** FFmpeg filters for a track's frames, rebuilt when the frames' format changes. `onFrame` must not keep its frame: it is reused. */
export type TrackFilter = {
  /** Filters a frame; null flushes the filters. */
  put(frame: Frame | null, onFrame: (frame: Frame) => Promise<void>): Promise<void>;
  /** Frees the native memory without flushing. */
  close(): void;
};

type Built = { sourceArgs: string; graph: FilterGraph; source: FilterContext; sink: FilterContext };

/**
 * @param filters description in FFmpeg's filtergraph syntax
 * @param timeBase of the incoming frames
 */
export function createTrackFilter(filters: string, timeBase: Fraction): TrackFilter {
  const outputFrame = new Frame();
  outputFrame.alloc();
  let built: Built | null = null;

  const drain = async ({ sink }: Built, onFrame: (frame: Frame) => Promise<void>) => {
    for (;;) {
      const status = await sink.buffersinkGetFrame(outputFrame);
      if (needsMoreInput(status)) return;
      checkStatus(status, 'filtering');
      await onFrame(outputFrame);
      outputFrame.unref();
    }
  };
  const end = async (onFrame: (frame: Frame) => Promise<void>) => {
    if (built === null) return;
    checkStatus(await built.source.buffersrcAddFrame(null), 'ending a filter');
    await drain(built, onFrame);
    built.graph.free();
    built = null;
  };
  return {
    async put(frame, onFrame) {
      if (frame === null) return end(onFrame);
      const sourceArgs = toSourceArgs(frame, timeBase);
      if (built !== null && built.sourceArgs !== sourceArgs) await end(onFrame);
      built ??= await build(filters, sourceArgs, frame.isVideo());
      checkStatus(await built.source.buffersrcAddFrame(frame), 'filtering');
      await drain(built, onFrame);
    },
    close() {
      built?.graph.free();
      outputFrame.free();
    },
  };
}

/** Returns the arguments of a filter source for frames like this one. */
function toSourceArgs(frame: Frame, { num, den }: Fraction): string {
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

async function build(filters: string, sourceArgs: string, isVideo: boolean): Promise<Built> {
  const graph = new FilterGraph();
  graph.alloc();
  const [sourceName, sinkName] = isVideo ? ['buffer', 'buffersink'] : ['abuffer', 'abuffersink'];
  const source = graph.createFilter(
    requireAllocated(Filter.getByName(sourceName), sourceName),
    'source',
    sourceArgs,
  );
  // The filter exists, but it doesn't accept frames of this format.
  if (source === null) throw new UnsupportedInput();
  const sink = requireAllocated(
    graph.createFilter(requireAllocated(Filter.getByName(sinkName), sinkName), 'sink'),
    sinkName,
  );
  // FFmpeg's view: an open input of the description leads to our sink, an open output comes from our source.
  const inputs = FilterInOut.createList([{ name: 'out', filterCtx: sink, padIdx: 0 }]);
  const outputs = FilterInOut.createList([{ name: 'in', filterCtx: source, padIdx: 0 }]);
  checkStatus(graph.parsePtr(`[in]${filters}[out]`, inputs, outputs), 'reading filters');
  checkStatus(await graph.config(), 'joining filters');
  return { sourceArgs, graph, source, sink };
}
