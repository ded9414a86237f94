const MB = 1024 ** 2;

/** Bytes of memory that the child may hold: it is ended above. */
export const MAX_MEMORY = 900 * MB;
/**
 * What it may ask the system for where that can be limited (bytes): an allocation beyond fails there and then. JavaScript's two threads set 1.1 GB
 * of it aside without using them.
 */
export const MAX_DATA = 2_400 * MB;
/** Who still holds so much when the work is done (bytes) gives way to a fresh one for the next. */
export const RECYCLE_MEMORY = 300 * MB;
/** JavaScript's own part of it, in MB. */
export const HEAP_MB = 128;

/** What the child writes last when it ends for want of memory. */
export const MEMORY_MARK = 'media-worker: out of memory';
/** What JavaScript writes when its own part isn't enough. */
const HEAP_MARK = /^FATAL ERROR: .*heap out of memory/;
/** Does it say in this line that it ends for want of memory? */
export const reportsOutOfMemory = (line: string) => line === MEMORY_MARK || HEAP_MARK.test(line);

/** Without a sign of work for so long it is stuck; without anything to do for so long it isn't needed. Milliseconds. */
export const STALLED_MS = 60_000;
export const IDLE_MS = 20_000;

/** How often a file is tried that ended the child: somebody else may have ended it. */
export const MAX_ATTEMPTS = 3;

/**
 * How long a piece of work may take, in ms: by the bytes there are to read, and by the pictures that were really found in them. A slow machine
 * needs a tenth of it. Few bytes may claim any number of pictures: so the bytes bound that, too.
 */
export function maxDurationMs({ bytes, megapixels }: { bytes: number; megapixels: number }): number {
  const reading = 60_000 + (bytes / MB) * 1_000;
  const making = Math.min(megapixels * 300, 300_000 + (bytes / MB) * 300_000);
  return reading + making;
}
