import { AVDISCARD_ALL, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import type { FormatContext, Frame } from 'node-av/lib';
import { loudnessOf, METER, METER_KEY } from '../plan/loudness.ts';
import type { Progress } from '../progress.ts';
import { FileRejected } from '../refusal.ts';
import { openDecoder } from './decoder.ts';
import { createTrackFilter } from './graph.ts';
import { eachPacket, timeOf, withInput } from './input.ts';

/**
 * Returns the loudness of a written file in LUFS; only its sound is read and decoded. null for silence, without sound, and for less than
 * the meter's window (0.4 s).
 */
export async function measureSound(path: string, progress: Progress): Promise<number | null> {
  return withInput(path, (input) => listen(input, progress)).catch((error: unknown) => {
    // The file was decoded once, so the loudness is merely unknown.
    if (error instanceof FileRejected) return null;
    throw error;
  });
}

async function listen(input: FormatContext, progress: Progress): Promise<number | null> {
  const { streams } = input;
  const stream = streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO);
  const decoder = stream === undefined ? null : await openDecoder(stream);
  if (stream === undefined || decoder === null) return null;
  for (const each of streams) if (each.index !== stream.index) each.discard = AVDISCARD_ALL;
  const graph = createTrackFilter(METER, stream.timeBase);
  const seconds = Number(input.duration) / 1e6;
  let loudness: number | null = null;
  const onFrame = async (frame: Frame) => {
    using metadata = frame.getMetadata();
    const integrated = metadata.get(METER_KEY);
    // A sound shorter than one step of the meter has no value.
    if (integrated !== null) loudness = loudnessOf(Number(integrated));
  };
  const filter = (frame: Frame) => graph.put(frame, onFrame);
  try {
    await eachPacket(input, progress, async (packet) => {
      if (packet.streamIndex !== stream.index) return true;
      await decoder.put(packet, filter);
      progress.share((timeOf(packet, stream).pts ?? 0) / seconds);
      return true;
    });
    await decoder.put(null, filter);
    await graph.put(null, onFrame);
    return loudness;
  } finally {
    graph.close();
    decoder.close();
  }
}
