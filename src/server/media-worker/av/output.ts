import { AVFMT_FLAG_BITEXACT } from 'node-av/constants';
import { Dictionary, FormatContext, type Packet, type Stream } from 'node-av/lib';
import { must } from './errors.ts';

/** A file under way. Nothing is said in it of who made it or when. */
export type Output = {
  addStream(): Stream;
  /** When all streams are known. */
  begin(): Promise<void>;
  /** Takes the packet over: it is empty afterwards. */
  write(packet: Packet): Promise<void>;
  end(): Promise<void>;
};

/** Opens a file to write, works with it and closes it. */
export async function withOutput<T>(
  path: string,
  format: 'mp4' | 'mp3',
  work: (output: Output) => Promise<T>,
): Promise<T> {
  const context = new FormatContext();
  must(context.allocOutputContext2(null, format, path), 'making a file');
  context.setFlags(AVFMT_FLAG_BITEXACT);
  try {
    must(await context.openOutput(), 'making a file');
    return await work({
      addStream: () => context.newStream(null),
      async begin() {
        // The index in front of everything else; no comment of the program's, and no cover or tag in an MP3.
        using options = Dictionary.fromObject(
          format === 'mp4' ? { movflags: '+faststart' } : { id3v2_version: 0, write_xing: 0 },
        );
        must(await context.writeHeader(options), 'beginning a file');
      },
      async write(packet) {
        must(await context.interleavedWriteFrame(packet), 'writing');
      },
      async end() {
        must(await context.writeTrailer(), 'ending a file');
      },
    });
  } finally {
    await context.closeOutput();
    context.freeContext();
  }
}
