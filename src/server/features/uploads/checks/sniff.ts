import { type FileHandle, open } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';

/** So much is read to see whether a file is text, in bytes. */
const HEAD = 4_096;
const LIMITS = { maxBufferSize: 1024 * 1024 } as const;
const PATIENCE_MS = 5_000;

/**
 * What a file is by its bytes, as a media type; `image/svg+xml` where it is a drawing in text; null when nobody knows. Neither its name nor
 * what a browser said of it counts.
 */
export async function sniff(path: string): Promise<string | null> {
  if (/<svg[\s>]/i.test(await head(path))) return 'image/svg+xml';
  try {
    const found = await fileTypeFromFile(path, { ...LIMITS, signal: AbortSignal.timeout(PATIENCE_MS) });
    return found?.mime ?? null;
  } catch {
    return null;
  }
}

/** The beginning of a file that is text; empty for any other. */
async function head(path: string): Promise<string> {
  const bytes = await reading(path, async (file) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return buffer.subarray(0, bytesRead);
  });
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = bytes
    .toString(utf16 ? 'utf16le' : 'utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  return text.startsWith('<') ? text : '';
}

/** Opens a file for as long as `work` takes. */
export async function reading<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, 'r');
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}
