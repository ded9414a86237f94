import type { FileRefusal } from '../../../../../contract/admin/media.ts';
import { errorSentences } from '../../../../../texts/errors.ts';
import { within } from '../../../../ui/waiting.ts';

/** Reading the index of a film takes longer only where something is wrong; then the server will say what. In milliseconds. */
const PATIENCE_MS = 8_000;

const NOT_EVERYWHERE: Record<string, FileRefusal> = {
  hevc: 'FILE_VIDEO_HEVC',
  av1: 'FILE_VIDEO_AV1',
  vp9: 'FILE_VIDEO_VP9',
  vp8: 'FILE_VIDEO_CODEC',
};

/**
 * Why a film would be refused after a long upload, as far as its index tells, or null: an iPhone records in HEVC unless told otherwise.
 * What can't be read here is no reason against it.
 */
export async function codecProblemOf(film: File): Promise<string | null> {
  const codecs = (await within(codecsOf(film), PATIENCE_MS).catch(() => undefined)) ?? [];
  const [first] = codecs;
  if (first === undefined || codecs.includes('avc')) return null;
  const refusal = NOT_EVERYWHERE[first];
  return refusal === undefined ? null : errorSentences[refusal];
}

async function codecsOf(film: File): Promise<string[]> {
  const { BlobSource, Input, Logging, LogLevel, MP4, QTFF } = await import('mediabunny');
  Logging.level = LogLevel.Silent;
  const input = new Input({ formats: [MP4, QTFF], source: new BlobSource(film) });
  try {
    const tracks = await input.getVideoTracks();
    const codecs = await Promise.all(tracks.map((track) => track.getCodec()));
    return codecs.filter((codec) => codec !== null);
  } finally {
    input.dispose();
  }
}
