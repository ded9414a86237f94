import { AVFMT_FLAG_BITEXACT } from 'node-av/constants';
import { Dictionary, FormatContext, type Packet, type Stream } from 'node-av/lib';
import { checkStatus } from './errors.ts';

/** An output file, without metadata about its creator or date. */
export type Output = {
  addStream(): Stream;
  /** Called once all streams are added. */
  begin(): Promise<void>;
  /** Takes the packet's data: the packet is empty afterwards. */
  write(packet: Packet): Promise<void>;
  end(): Promise<void>;
};

/** Opens a file to write, calls `work` with it, and closes it. */
export async function withOutput<T>(
  path: string,
  format: 'mp4' | 'mp3',
  work: (output: Output) => Promise<T>,
): Promise<T> {
  const context = new FormatContext();
  checkStatus(context.allocOutputContext2(null, format, path), 'making a file');
  context.setFlags(AVFMT_FLAG_BITEXACT);
  try {
    checkStatus(await context.openOutput(), 'making a file');
    return await work({
      addStream: () => context.newStream(null),
      async begin() {
        // The index comes first; no comment of the encoder, and no cover or tag in an MP3.
        using options = Dictionary.fromObject(
          format === 'mp4' ? { movflags: '+faststart' } : { id3v2_version: 0, write_xing: 0 },
        );
        checkStatus(await context.writeHeader(options), 'beginning a file');
      },
      async write(packet) {
        checkStatus(await context.interleavedWriteFrame(packet), 'writing');
      },
      async end() {
        checkStatus(await context.writeTrailer(), 'ending a file');
      },
    });
  } finally {
    await context.closeOutput();
    context.freeContext();
  }
}
