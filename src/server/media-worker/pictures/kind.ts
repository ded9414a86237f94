import { open } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { FileRejected } from '../refusal.ts';

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

/** Bytes read to detect text. */
const HEAD = 4_096;
const LIMITS = { maxBufferSize: 1024 * 1024 } as const;
const TIMEOUT_MS = 5_000;

/** Returns the kind of a picture by its bytes, not its name. Rejects with `FileRejected` if it can't be opened. */
export async function kindOf(path: string): Promise<PictureKind> {
  const { head, size } = await beginningOf(path);
  if (/<svg[\s>]/i.test(textIn(head))) throw new FileRejected('svg');
  if (isTruncated(size, head)) throw new FileRejected('cut_short');
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const fileType = await fileTypeFromFile(path, { ...LIMITS, signal }).catch(() => undefined);
  const mime = fileType?.mime ?? '';
  const kind = KINDS[mime];
  if (kind !== undefined) return kind;
  throw new FileRejected(mime.startsWith('image/') ? 'undecodable' : 'unknown');
}

async function beginningOf(path: string): Promise<{ head: Buffer; size: number }> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return { head: buffer.subarray(0, bytesRead), size: (await file.stat()).size };
  } finally {
    await file.close();
  }
}

/** Returns the text if it starts with an angle bracket, else ''. */
function textIn(head: Buffer): string {
  const utf16 = head[0] === 0xff && head[1] === 0xfe;
  const text = head
    .toString(utf16 ? 'utf16le' : 'utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  return text.startsWith('<') ? text : '';
}

/** Returns true if a WebP's length or a TIFF's directory is beyond the end of the file. Readers don't recognize such a file at all. */
function isTruncated(size: number, head: Buffer): boolean {
  if (head.length < 12) return false;
  const begin = head.toString('latin1', 0, 4);
  if (begin === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP') return 8 + head.readUInt32LE(4) > size;
  if (begin === 'II*\0') return head.readUInt32LE(4) >= size;
  return begin === 'MM\0*' && head.readUInt32BE(4) >= size;
}
