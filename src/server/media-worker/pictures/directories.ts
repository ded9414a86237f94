/** Directories of a TIFF, as in EXIF and most cameras' raw files. Only the orientation and the positions of complete JPEGs are read. */
type DirectoryEntry = { tag: number; values: number[] };
export type ByteSpan = { offset: number; length: number };
export type Directories = { orientation: number; jpegs: ByteSpan[] };

const TAG = {
  compression: 259,
  strips: 273,
  orientation: 274,
  lengths: 279,
  inside: 330,
  jpeg: 513,
  jpegLength: 514,
};
/** Compression values that mean JPEG. */
const JPEGS = new Set([6, 7]);
const SIZES: Record<number, number> = { 3: 2, 4: 4, 13: 4 };
/** Limits above any camera's files; they also stop lists that refer to themselves. */
const LIMITS = { directories: 32, entries: 512, values: 16 } as const;

/** Reads all readable directories and ignores the rest. */
export function readDirectories(bytes: Buffer): Directories {
  const read = readerOf(bytes);
  const found: Directories = { orientation: 1, jpegs: [] };
  const waiting = [read(4, 4)];
  const seen = new Set<number>();
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    if (at === 0 || seen.has(at) || seen.size >= LIMITS.directories) continue;
    const isFirst = seen.size === 0;
    seen.add(at);
    const { entries, next } = directoryAt(read, at);
    const valuesOf = (tag: number) => entries.find((each) => each.tag === tag)?.values ?? [];
    if (isFirst) found.orientation = valuesOf(TAG.orientation)[0] ?? 1;
    found.jpegs.push(...jpegsOf(valuesOf));
    waiting.push(...valuesOf(TAG.inside), next);
  }
  return found;
}

function jpegsOf(valuesOf: (tag: number) => number[]): ByteSpan[] {
  const [place] = valuesOf(TAG.jpeg);
  const [size] = valuesOf(TAG.jpegLength);
  const parts = place === undefined || size === undefined ? [] : [{ offset: place, length: size }];
  const [strip, second] = valuesOf(TAG.strips);
  const [length] = valuesOf(TAG.lengths);
  const isJpeg = JPEGS.has(valuesOf(TAG.compression)[0] ?? 0);
  if (isJpeg && strip !== undefined && second === undefined && length !== undefined)
    parts.push({ offset: strip, length });
  return parts;
}

/** Reads a number of `size` bytes; 0 if it is outside the file. */
type ReadNumber = (at: number, size: number) => number;

function readerOf(bytes: Buffer): ReadNumber {
  const isLittle = bytes.toString('latin1', 0, 2) === 'II';
  return (at, size) => {
    if (at < 0 || at + size > bytes.length) return 0;
    return isLittle ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
  };
}

function directoryAt(read: ReadNumber, at: number): { entries: DirectoryEntry[]; next: number } {
  const count = Math.min(LIMITS.entries, read(at, 2));
  const entries = Array.from({ length: count }, (_, place) => entryAt(read, at + 2 + 12 * place));
  return { entries, next: read(at + 2 + 12 * count, 4) };
}

function entryAt(read: ReadNumber, at: number): DirectoryEntry {
  const size = SIZES[read(at + 2, 2)] ?? 0;
  const count = size === 0 ? 0 : Math.min(LIMITS.values, read(at + 4, 4));
  const from = size * count <= 4 ? at + 8 : read(at + 8, 4);
  return {
    tag: read(at, 2),
    values: Array.from({ length: count }, (_, place) => read(from + size * place, size)),
  };
}
