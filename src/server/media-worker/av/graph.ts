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

export type Rate = { num: number; den: number };

/** Filters for a track's frames; they are rebuilt when the frames change their shape. */
export type Graph = {
  /** null flushes the filters. */
  put(frame: Frame | null, take: (frame: Frame) => Promise<void>): Promise<void>;
  close(): void;
};

type Built = { shape: string; graph: FilterGraph; source: FilterContext; sink: FilterContext };

/** @param timeBase of the incoming frames */
export function graphOf(filters: string, timeBase: Rate): Graph {
  const out = new Frame();
  out.alloc();
  let built: Built | null = null;

  const drain = async ({ sink }: Built, take: (frame: Frame) => Promise<void>) => {
    for (;;) {
      const status = await sink.buffersinkGetFrame(out);
      if (needsMoreInput(status)) return;
      checkStatus(status, 'filtering');
      await take(out);
      out.unref();
    }
  };
  const end = async (take: (frame: Frame) => Promise<void>) => {
    if (built === null) return;
    checkStatus(await built.source.buffersrcAddFrame(null), 'ending a filter');
    await drain(built, take);
    built.graph.free();
    built = null;
  };
  return {
    async put(frame, take) {
      if (frame === null) return end(take);
      const shape = shapeOf(frame, timeBase);
      if (built !== null && built.shape !== shape) await end(take);
      built ??= await build(filters, shape, frame.isVideo());
      checkStatus(await built.source.buffersrcAddFrame(frame), 'filtering');
      await drain(built, take);
    },
    close() {
      built?.graph.free();
      out.free();
    },
  };
}

/** Returns the arguments of a filter source for frames like this one. */
function shapeOf(frame: Frame, { num, den }: Rate): string {
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

async function build(filters: string, shape: string, isVideo: boolean): Promise<Built> {
  const graph = new FilterGraph();
  graph.alloc();
  const [from, to] = isVideo ? ['buffer', 'buffersink'] : ['abuffer', 'abuffersink'];
  const source = graph.createFilter(requireAllocated(Filter.getByName(from), from), 'source', shape);
  // The filter exists, but it doesn't accept frames of this shape.
  if (source === null) throw new UnsupportedInput();
  const sink = requireAllocated(graph.createFilter(requireAllocated(Filter.getByName(to), to), 'sink'), to);
  const inputs = FilterInOut.createList([{ name: 'out', filterCtx: sink, padIdx: 0 }]);
  const outputs = FilterInOut.createList([{ name: 'in', filterCtx: source, padIdx: 0 }]);
  checkStatus(graph.parsePtr(`[in]${filters}[out]`, inputs, outputs), 'reading filters');
  checkStatus(await graph.config(), 'joining filters');
  return { shape, graph, source, sink };
}
