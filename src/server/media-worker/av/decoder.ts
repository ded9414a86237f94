import { availableParallelism } from 'node:os';
import { AV_FRAME_FLAG_CORRUPT, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { Codec, CodecContext, Dictionary, Frame, type Packet, type Stream } from 'node-av/lib';
import { MAX_PIXELS } from '../bounds.ts';
import { checkStatus, needsMoreInput } from './errors.ts';

/** Larger pictures are decoded by one thread, in pixels. 8K takes 50 MB each, and every thread holds several. */
const LARGE_PIXELS = 16_000_000;

/** Decodes a track's packets in order. */
export type Decoder = {
  /** Decodes a packet and passes its frames to `take` one at a time; each is valid until the next. null flushes the decoder. */
  put(packet: Packet | null, take: (frame: Frame) => Promise<void> | void): Promise<void>;
  /** Number of faulty packets and frames. */
  faults(): number;
  frames(): number;
  close(): void;
};

/** Returns null if no decoder supports the track. */
export async function openDecoder(stream: Stream): Promise<Decoder | null> {
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
  return decoderOn(context);
}

function decoderOn(context: CodecContext): Decoder {
  const frame = new Frame();
  frame.alloc();
  let [faults, frames] = [0, 0];
  const drain = async (take: (frame: Frame) => Promise<void> | void) => {
    for (;;) {
      const status = await context.receiveFrame(frame);
      if (needsMoreInput(status)) return;
      if (status < 0) {
        faults += 1;
        return;
      }
      frames += 1;
      if (frame.decodeErrorFlags !== 0 || frame.hasFlags(AV_FRAME_FLAG_CORRUPT)) faults += 1;
      await take(frame);
      frame.unref();
    }
  };
  return {
    async put(packet, take) {
      const status = await context.sendPacket(packet);
      if (status < 0 && !needsMoreInput(status)) faults += 1;
      await drain(take);
    },
    faults: () => faults,
    frames: () => frames,
    close() {
      frame.free();
      context.freeContext();
    },
  };
}
