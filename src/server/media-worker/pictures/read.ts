import { readFile } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import type { Metadata } from 'sharp';
import { FileRejected, readHead } from '../child/task.ts';
import type { FileProblem } from '../door.ts';
import { readDirectories } from './directories.ts';
import { HeifError } from './heif/library.ts';
import { applySteps, orientationSteps, type Pixels, reducedPixels, sharp } from './pixels.ts';

/** Reader of a picture: sharp, the reader of ISO files (HEIC, AVIF), or the preview of a camera's raw file. */
export type PictureKind = 'plain' | 'heif' | 'raw';

const KINDS: Record<string, PictureKind> = {
  'image/jpeg': 'plain',
  'image/png': 'plain',
  'image/apng': 'plain',
  'image/gif': 'plain',
  'image/webp': 'plain',
  'image/tiff': 'plain',
  'image/heic': 'heif',
  'image/heif': 'heif',
  'image/heic-sequence': 'heif',
  'image/heif-sequence': 'heif',
  'image/avif': 'heif',
  'image/x-adobe-dng': 'raw',
  'image/x-canon-cr2': 'raw',
  'image/x-nikon-nef': 'raw',
  'image/x-sony-arw': 'raw',
};

const TIMEOUT_MS = 5_000;

/** Returns the kind of a picture by its bytes, not its name. Rejects with `FileRejected` if it can't be opened. */
export async function kindOf(path: string): Promise<PictureKind> {
  const { head, size } = await readHead(path);
  if (isSvg(head)) throw new FileRejected('svg');
  if (isTruncated(size, head)) throw new FileRejected('cut_short');
  const options = { maxBufferSize: 1024 * 1024, signal: AbortSignal.timeout(TIMEOUT_MS) };
  const fileType = await fileTypeFromFile(path, options).catch(() => undefined);
  const mime = fileType?.mime ?? '';
  const kind = KINDS[mime];
  if (kind !== undefined) return kind;
  throw new FileRejected(mime.startsWith('image/') ? 'undecodable' : 'unknown');
}

/** Returns true for text that starts with an angle bracket and has the tag. */
function isSvg(head: Buffer): boolean {
  const isUtf16 = head[0] === 0xff && head[1] === 0xfe;
  return /^\s*<(.*<)?svg[\s>]/is.test(head.toString(isUtf16 ? 'utf16le' : 'utf8'));
}

/** Returns true if a WebP's length or a TIFF's directory is beyond the end of the file. Readers don't recognize such a file at all. */
function isTruncated(size: number, head: Buffer): boolean {
  if (head.length < 12) return false;
  const begin = head.toString('latin1', 0, 4);
  if (begin === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP') return 8 + head.readUInt32LE(4) > size;
  if (begin === 'II*\0') return head.readUInt32LE(4) >= size;
  return begin === 'MM\0*' && head.readUInt32BE(4) >= size;
}

/**
 * Reads the first picture of a JPEG, PNG, GIF, WebP or TIFF, upright and in sRGB. Rejects a damaged one, and one with too many pixels
 * before decoding it.
 */
export async function readPlain(path: string, side: number): Promise<{ pixels: Pixels; isPng: boolean }> {
  const metadata = await sharp(path, { limitInputPixels: false }).metadata();
  checkSize(metadata);
  const read = (failOn: 'warning' | 'error') =>
    reducedPixels(sharp(path, { limitInputPixels: false, failOn }).autoOrient(), side);
  // A JPEG is rejected on warnings, since half of it may be missing, except on harmless ones.
  const pixels = await read(metadata.format === 'jpeg' ? 'warning' : 'error').catch((error: unknown) => {
    if (metadata.format !== 'jpeg' || !isHarmlessWarning(error)) throw error;
    return read('error');
  });
  return { pixels, isPng: metadata.format === 'png' };
}

/** Reads the largest JPEG in a camera's raw file, upright; in a DNG it is the preview. Sensor data isn't read. */
export async function readPreview(path: string, side: number): Promise<Pixels> {
  const file = await readFile(path);
  const { jpegs, orientation } = readDirectories(file);
  const previews = await Promise.all(
    jpegs.map(async ({ offset, length }) => {
      const bytes = file.subarray(offset, offset + length);
      const metadata = await sharp(bytes, { limitInputPixels: false })
        .metadata()
        .catch(() => null);
      // Sensor data may also be packed as a JPEG, of a kind that can't be displayed.
      return metadata === null ? [] : [{ bytes, metadata }];
    }),
  );
  const [largest] = previews.flat().toSorted((one, other) => other.metadata.width - one.metadata.width);
  if (largest === undefined) throw new FileRejected('undecodable');
  checkSize(largest.metadata);
  const drawn = await reducedPixels(sharp(largest.bytes, { limitInputPixels: false }), side);
  return applySteps(drawn, orientationSteps(largest.metadata.orientation ?? orientation));
}

/** Largest picture that is opened, in pixels: 200 megapixels of a phone. */
const MAX_PICTURE_PIXELS = 210_000_000;
/**
 * Bytes of a picture that may be in memory while it is read. Formats that are read line by line or reduced while reading need almost none.
 */
const MAX_HELD_BYTES = 600_000_000;

/** Properties of a picture before it is read. */
type PictureInfo = { format: string; width: number; height: number } & Partial<
  Pick<Metadata, 'channels' | 'depth' | 'isProgressive' | 'chromaSubsampling'>
>;

/** Throws `FileRejected` if a picture is beyond the limits. */
export function checkSize(info: PictureInfo): void {
  const pixels = info.width * info.height;
  if (pixels > MAX_PICTURE_PIXELS || pixels * heldBytes(info) > MAX_HELD_BYTES)
    throw new FileRejected('too_large');
}

/** Bytes per sample, by sharp's name; 1 for others. */
const SAMPLE_BYTES: Record<string, number> = {
  ushort: 2,
  short: 2,
  int: 4,
  uint: 4,
  float: 4,
  double: 8,
  complex: 8,
  dpcomplex: 16,
};

/**
 * Returns the measured bytes per pixel that stay in memory until the last pixel is read. The passes of a progressive or interlaced picture
 * cover all of it. A JPEG of 4:2:0 has one colour for four pixels.
 */
function heldBytes(info: PictureInfo): number {
  const { format, channels = 3, depth = '', isProgressive = false, chromaSubsampling = '' } = info;
  const samples = channels * (SAMPLE_BYTES[depth] ?? 1);
  switch (format) {
    case 'jpeg':
      return isProgressive ? 2.7 * (chromaSubsampling.startsWith('4:2:0') ? channels / 2 : channels) : 0;
    case 'png':
      return isProgressive ? 2 * samples : 0;
    case 'tiff':
      return samples;
    case 'heic':
      return 0;
    case 'avif':
      return 20;
    default:
      return 8;
  }
}

/** Rejects with `FileRejected` if a picture can't be read, or with the error itself if the machine is at fault. */
export async function rejectUnreadable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    // Errors of Node's file access aren't caused by the file's content.
    const isOfTheMachine = error instanceof Error && 'syscall' in error;
    if (error instanceof FileRejected || isOfTheMachine) throw error;
    throw new FileRejected(toFileProblem(error), { cause: error });
  }
}

const CUT_SHORT =
  /premature|truncated|unexpected end|end of (file|stream|data)|end.of.data|read error|bad seek|not enough data|insufficient data/i;
/** Warnings about files of some cameras that every reader opens. */
const ODDITY = /extraneous bytes before marker|invalid sos parameters/i;
const NOT_READ =
  /unsupported image format|unsupported (codec|feature)|has not been built in|not implemented/i;
const TOOK_TOO_LONG = /^timeout:/;
const NO_MEMORY = /allocation failed|out of memory|\(OOM\)/i;

const messageOf = (error: unknown) => (error instanceof Error ? error.message : '');

function isHarmlessWarning(error: unknown): boolean {
  const message = messageOf(error);
  return ODDITY.test(message) && !CUT_SHORT.test(message);
}

/** Maps a reader's error to the problem of the picture. */
function toFileProblem(error: unknown): FileProblem {
  const message = messageOf(error);
  if (TOOK_TOO_LONG.test(message)) return 'stalled';
  if (NO_MEMORY.test(message)) return 'memory';
  if (CUT_SHORT.test(message)) return 'cut_short';
  if (error instanceof HeifError) return error.isUnknown ? 'undecodable' : 'damaged';
  return NOT_READ.test(message) ? 'undecodable' : 'damaged';
}
