import { AVDISCARD_ALL, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import type { FormatContext, Stream } from 'node-av/lib';
import type { Progress } from '../progress.ts';
import { FileRejected } from '../refusal.ts';
import { type Decoder, openDecoder } from './decoder.ts';
import { eachPacket, withInput } from './input.ts';

/** Decodes every picture and sound of a stored film or song. Rejects if one is faulty, or if there are none. */
export const decodeAll = (path: string, progress: Progress): Promise<void> =>
  withInput(path, (input) => decode(input, progress));

async function decode(input: FormatContext, progress: Progress): Promise<void> {
  const decoders = new Map<number, Decoder>();
  try {
    for (const stream of input.streams) {
      const decoder = isPlayed(stream) ? await openDecoder(stream) : null;
      if (decoder !== null) decoders.set(stream.index, decoder);
      else if (isPlayed(stream)) throw new FileRejected('undecodable');
      else stream.discard = AVDISCARD_ALL;
    }
    await eachPacket(input, progress, async (packet) => {
      await decoders.get(packet.streamIndex)?.put(packet, () => undefined);
      return true;
    });
    for (const decoder of decoders.values()) await decoder.put(null, () => undefined);
    const isWhole = (decoder: Decoder) => decoder.faults() === 0 && decoder.frames() > 0;
    if (decoders.size === 0 || ![...decoders.values()].every(isWhole)) throw new FileRejected('damaged');
  } finally {
    for (const decoder of decoders.values()) decoder.close();
  }
}

const isPlayed = ({ codecpar: { codecType } }: Stream) =>
  codecType === AVMEDIA_TYPE_VIDEO || codecType === AVMEDIA_TYPE_AUDIO;
