import { totalmem } from 'node:os';

/** Memory of an event stream and its socket, in bytes; measured: 13 to 17 KiB. */
const STREAM_BYTES = 17 * 1024;
/** Largest share of the memory that streams may use. */
const MEMORY_SHARE = 1 / 8;
const MIN_STREAMS = 2_000;
const MAX_STREAMS = 20_000;
/** Connections reserved for others: entries, page loads, the administrator. */
const OTHER_CONNECTIONS = 3_000;

/** Returns the memory available to this process, in bytes: that of the machine or the limit of its container. */
export function availableMemory(): number {
  const limitBytes = process.constrainedMemory();
  return limitBytes > 0 ? Math.min(limitBytes, totalmem()) : totalmem();
}

/**
 * Returns the maximum number of event streams of a node.
 * @param memory in bytes
 */
export function maxStreams(memory: number): number {
  return Math.min(MAX_STREAMS, Math.max(MIN_STREAMS, Math.floor((memory * MEMORY_SHARE) / STREAM_BYTES)));
}

/**
 * Returns the maximum number of connections of a node, including its streams.
 * @param memory in bytes
 */
export function maxConnections(memory: number): number {
  return maxStreams(memory) + OTHER_CONNECTIONS;
}
