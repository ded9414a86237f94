import { createAes } from './aes.ts';
import { concatBytes } from './code-locks.ts';
import { type Manifest, manifestSize, readManifest } from './content.ts';
import { SEGMENT, segmentNonce } from './layout.ts';

/** A sealed evening, read piece by piece. */
export type Sealed = {
  /** How many segments there are. */
  count: number;
  /** One of them, with its tag; each is asked for once, in order. */
  segment(place: number): Promise<Uint8Array>;
};

/** Something that is made of parts, which may lie outside the memory: a browser's Blob. */
export type JoinParts<T> = (parts: Uint8Array[], type: string) => T;

/** How much is put together before it is handed over, in bytes. */
const HANDED = 8 * SEGMENT;

/**
 * Opens an evening with its key: what it is, and its files by their names. Rejects where a piece isn't what was sealed.
 * @param whole makes something of a file's parts; a large file is handed over in several, `join` makes one of them
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

/** Reads on in the content, so many bytes at a time. */
async function reader(key: Uint8Array, { count, segment }: Sealed) {
  const aes = await createAes(key);
  let place = 0;
  let rest = new Uint8Array();
  return async (length: number): Promise<Uint8Array> => {
    const parts: Uint8Array[] = [];
    let wanted = length;
    while (wanted > 0) {
      if (rest.length === 0) {
        if (place === count) throw new RangeError('The evening ends before its content');
        rest = new Uint8Array(await aes.open(segmentNonce(place, place === count - 1), await segment(place)));
        place += 1;
      }
      const part = rest.subarray(0, wanted);
      parts.push(part);
      rest = rest.subarray(part.length);
      wanted -= part.length;
    }
    return concatBytes(...parts);
  };
}
