const MB = 1024 ** 2;

/** Memory limit of the child in bytes; above it the child is ended. */
export const MAX_MEMORY = 900 * MB;
/**
 * Limit of the child's data segment in bytes, where the system has one; allocations beyond it fail at once. JavaScript's two threads
 * reserve 1.1 GB of it without using it.
 */
export const MAX_DATA = 2_400 * MB;
/** A child that holds more bytes than this after a task is replaced. */
export const RECYCLE_MEMORY = 300 * MB;
/** Limit of the child's JavaScript heap, in MB. */
export const HEAP_MB = 128;

/** Line that the child's guard writes before it ends the child for exceeding its memory limit. */
export const MEMORY_MARK = 'media-worker: out of memory';
/** Node's message when the JavaScript heap is full. */
const HEAP_MARK = /^FATAL ERROR: .*heap out of memory/;
/** Returns true if the line reports that memory ran out. */
export const reportsOutOfMemory = (line: string) => line === MEMORY_MARK || HEAP_MARK.test(line);

/** Timeouts without progress and without a task, in ms. */
export const STALLED_MS = 60_000;
export const IDLE_MS = 20_000;

/** Attempts at a file that ended the child; the cause may have been another one. */
export const MAX_ATTEMPTS = 3;

/**
 * Returns the longest duration of a task in ms, by the bytes to read and the megapixels found. A slow machine needs a tenth of it. The
 * bytes also bound the time for megapixels, because few bytes may claim any number of pictures.
 */
export function maxDurationMs({ bytes, megapixels }: { bytes: number; megapixels: number }): number {
  const reading = 60_000 + (bytes / MB) * 1_000;
  const making = Math.min(megapixels * 300, 300_000 + (bytes / MB) * 300_000);
  return reading + making;
}
