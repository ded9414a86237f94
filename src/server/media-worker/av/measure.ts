import { AVDISCARD_ALL, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import type { FormatContext, Frame } from 'node-av/lib';
import { type Loudness, loudnessOf, METER, METER_KEYS, UNHEARD } from '../plan/loudness.ts';
import type { Progress } from '../progress.ts';
import { FileRefused } from '../refusal.ts';
import { openDecoder } from './decoder.ts';
import { graphOf } from './graph.ts';
import { eachPacket, timeOf, withInput } from './input.ts';

/**
 * How loud a file is that was made or stored: its sound alone is read and decoded.
 * @param index of the track, or null for the only one
 */
export async function measureSound(
  path: string,
  index: number | null,
  progress: Progress,
): Promise<Loudness> {
  return withInput(path, (input) => listen(input, index, progress)).catch((error: unknown) => {
    // What was decoded once and can't be measured is only not known.
    if (error instanceof FileRefused) return UNHEARD;
    throw error;
  });
}

async function listen(input: FormatContext, index: number | null, progress: Progress): Promise<Loudness> {
  const { streams } = input;
  const stream = streams.find((each) =>
    index === null ? each.codecpar.codecType === AVMEDIA_TYPE_AUDIO : each.index === index,
  );
  const decoder = stream === undefined ? null : await openDecoder(stream);
  if (stream === undefined || decoder === null) return UNHEARD;
  for (const each of streams) if (each.index !== stream.index) each.discard = AVDISCARD_ALL;
  const graph = graphOf(METER, stream.timeBase);
  const seconds = Number(input.duration) / 1e6;
  let heard = UNHEARD;
  const hear = async (frame: Frame) => {
    using told = frame.getMetadata();
    const [integrated, peak] = [told.get(METER_KEYS.integrated), told.get(METER_KEYS.peak)];
    // What is too short for a step of the meter tells nothing.
    if (integrated !== null && peak !== null) heard = loudnessOf(Number(integrated), Number(peak));
  };
  const filter = (frame: Frame) => graph.put(frame, hear);
  try {
    await eachPacket(input, progress, async (packet) => {
      if (packet.streamIndex !== stream.index) return true;
      await decoder.put(packet, filter);
      progress.share((timeOf(packet, stream).pts ?? 0) / seconds);
      return true;
    });
    await decoder.put(null, filter);
    await graph.put(null, hear);
    return heard;
  } finally {
    graph.close();
    decoder.close();
  }
}
