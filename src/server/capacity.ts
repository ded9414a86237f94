import { totalmem } from 'node:os';

/** Memory of an event stream and its socket, in bytes; measured: 13 to 17 KiB. */
const STREAM_BYTES = 17 * 1024;
/** Largest share of the memory that streams may use. */
const SHARE = 1 / 8;
const FEWEST = 2_000;
const MOST = 20_000;
/** Connections reserved for others: entries, page loads, the administrator. */
const OTHERS = 3_000;

/** Returns the memory available to this process, in bytes: that of the machine or the limit of its container. */
export function availableMemory(): number {
  const given = process.constrainedMemory();
  return given > 0 ? Math.min(given, totalmem()) : totalmem();
}

/**
 * Returns the maximum number of event streams of a node.
 * @param memory in bytes
 */
export function maxStreams(memory: number): number {
  return Math.min(MOST, Math.max(FEWEST, Math.floor((memory * SHARE) / STREAM_BYTES)));
}

/**
 * Returns the maximum number of connections of a node, including its streams.
 * @param memory in bytes
 */
export function maxConnections(memory: number): number {
  return maxStreams(memory) + OTHERS;
}
