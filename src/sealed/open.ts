import { createAes } from './aes.ts';
import { concatBytes } from './code-locks.ts';
import { type Manifest, manifestSize, readManifest } from './content.ts';
import { SEGMENT_BYTES, segmentNonce } from './layout.ts';

/** A sealed evening, read by segments. */
export type Sealed = {
  /** Number of segments. */
  count: number;
  /** Reads one segment with its tag. Called once for each, in order. */
  segment(place: number): Promise<Uint8Array>;
};

/** Combines parts into an object that may be stored outside the JavaScript heap, such as a browser's Blob. */
export type JoinParts<T> = (parts: Uint8Array[], type: string) => T;

/** Maximum bytes combined in memory before they are handed over. */
const HANDED = 8 * SEGMENT_BYTES;

/**
 * Decrypts an evening with its key, and returns its manifest and its files by name. Rejects if a segment was changed since.
 * @param whole combines a file's parts; a large file is handed over in several calls, and `join` combines their results
 */
export async function openEvening<T>(
  key: Uint8Array,
  sealed: Sealed,
  { whole, join }: { whole: JoinParts<T>; join: (parts: T[], type: string) => T },
): Promise<{ manifest: Manifest; files: Map<string, T> }> {
  const read = await reader(key, sealed);
  const first = await read(4);
  const manifest = readManifest(concatBytes(first, await read(manifestSize(first) - first.length)));
  const files = new Map<string, T>();
  for (const { name, type, size } of manifest.files) {
    const parts: T[] = [];
    for (let left = size; left > 0; left -= HANDED)
      parts.push(whole([await read(Math.min(left, HANDED))], type));
    files.set(name, join(parts, type));
  }
  return { manifest, files };
}

/** Returns a function that reads the next bytes of the content. */
async function reader(key: Uint8Array, { count, segment }: Sealed) {
  const aes = await createAes(key);
  let place = 0;
  let rest = new Uint8Array();
  return async (length: number): Promise<Uint8Array> => {
    const parts: Uint8Array[] = [];
    let remaining = length;
    while (remaining > 0) {
      if (rest.length === 0) {
        if (place === count) throw new RangeError('The evening ends before its content');
        rest = new Uint8Array(await aes.open(segmentNonce(place, place === count - 1), await segment(place)));
        place += 1;
      }
      const part = rest.subarray(0, remaining);
      parts.push(part);
      rest = rest.subarray(part.length);
      remaining -= part.length;
    }
    return concatBytes(...parts);
  };
}
