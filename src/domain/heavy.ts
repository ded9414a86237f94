import { HEAVY_FILE } from './limits.ts';

/** Is a film heavy for a phone on mobile data: by its bytes, or by what it asks of the line a second? It is kept all the same, with a warning. */
export function isHeavyVideo({ bytes, seconds }: { bytes: number; seconds: number }): boolean {
  return bytes > HEAVY_FILE.videoBytes || (bytes * 8) / seconds > HEAVY_FILE.videoBitsPerSecond;
}

/** The same of a song, by its bytes alone. */
export function isHeavySong(bytes: number): boolean {
  return bytes > HEAVY_FILE.songBytes;
}
