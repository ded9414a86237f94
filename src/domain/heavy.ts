import { HEAVY_FILE } from './limits.ts';

/** Returns true if a film is heavy for mobile data, by its size or its bitrate. It is stored anyway, with a warning. */
export function isHeavyVideo({ bytes, seconds }: { bytes: number; seconds: number }): boolean {
  return bytes > HEAVY_FILE.videoBytes || (bytes * 8) / seconds > HEAVY_FILE.videoBitsPerSecond;
}

/** Returns true if a song is heavy for mobile data, by its size. */
export function isHeavySong(bytes: number): boolean {
  return bytes > HEAVY_FILE.songBytes;
}
