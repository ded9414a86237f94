import { totalmem } from 'node:os';

/** What one live stream costs with its socket, in bytes: 13 to 17 KiB were measured. */
const STREAM_BYTES = 17 * 1024;
/** So much of the machine's memory may be streams. */
const SHARE = 1 / 8;
const FEWEST = 2_000;
const MOST = 20_000;
/** Connections beside the streams: who enters, who loads, the administrator. */
const OTHERS = 3_000;

/** What this process may use, in bytes: the machine's memory, or what its container is given of it. */
export function availableMemory(): number {
  const given = process.constrainedMemory();
  return given > 0 ? Math.min(given, totalmem()) : totalmem();
}

/** Live streams that a node holds at most. */
export function maxStreams(memory: number): number {
  return Math.min(MOST, Math.max(FEWEST, Math.floor((memory * SHARE) / STREAM_BYTES)));
}

/** Connections that a node holds at most, each of its streams among them. */
export function maxConnections(memory: number): number {
  return maxStreams(memory) + OTHERS;
}
