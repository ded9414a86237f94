import { SOUND_RATES } from '../bounds.ts';
import type { Times } from './times.ts';

/** A picture track, from the demuxer and its first decoded pictures. Colours are code points of ISO/IEC 23091-2. */
export type PictureTrack = {
  index: number;
  codec: string;
  profile: number;
  level: number;
  width: number;
  height: number;
  /** Pixel width divided by pixel height. */
  pixelAspect: number;
  /** FFmpeg's name of the pixel format; null if no picture could be decoded. */
  pixels: string | null;
  isInterlaced: boolean;
  /** Display matrix of an MP4, nine numbers; null if there is none. */
  matrix: readonly number[] | null;
  colour: { primaries: number; transfer: number; matrix: number; isFull: boolean };
  /** A cover, a still, thumbnails or an auxiliary track. */
  isExtra: boolean;
  isEnabled: boolean;
  /** True if FFmpeg has a decoder for the codec. */
  isReadable: boolean;
  isProtected: boolean;
  times: Times | null;
};

export type SoundTrack = {
  index: number;
  codec: string;
  profile: number;
  channels: number;
  rate: number;
  isEnabled: boolean;
  isReadable: boolean;
  isProtected: boolean;
  times: Times | null;
};

/** A probed file. */
export type Tracks = {
  container: string;
  pictures: PictureTrack[];
  sounds: SoundTrack[];
  /** Longest time in which no track has a packet, in seconds. */
  longestHole: number;
  /** True if the file ends before its index does. */
  isCutShort: boolean;
};

/**
 * Returns the film's picture track: enabled ones first, then decodable ones, then the longest, then the largest. Previews and proxies are
 * shorter or smaller.
 */
export function pictureOf({ pictures }: Tracks): PictureTrack | null {
  const real = pictures.filter(({ isExtra, times }) => !isExtra && times !== null);
  return best(real, ({ isEnabled, pixels, isProtected, times, width, height }) => [
    Number(isEnabled),
    Number(pixels !== null || isProtected),
    Math.round(times === null ? 0 : times.end - times.start),
    width * height,
  ]);
}

/** Returns the sound track: decodable ones first, then enabled ones, then the first. Ignores tracks with an impossible sample rate. */
export function soundOf({ sounds }: Tracks): SoundTrack | null {
  const real = sounds.filter(({ times, rate }) => times !== null && isRate(rate));
  return best(real, ({ isEnabled, isReadable, isProtected }) => [
    Number(isReadable || isProtected),
    Number(isEnabled),
  ]);
}

/** Returns true if the sample rate is plausible; 0 means unknown, for tracks that can't be decoded. */
const isRate = (rate: number) => rate === 0 || (rate >= SOUND_RATES.min && rate <= SOUND_RATES.max);

/** Returns the first element with the highest rank; earlier numbers of a rank decide. */
function best<T>(all: readonly T[], worth: (one: T) => number[]): T | null {
  return all.reduce<T | null>(
    (found, one) => (found === null || isBetter(worth(one), worth(found)) ? one : found),
    null,
  );
}

function isBetter(one: readonly number[], other: readonly number[]): boolean {
  const place = one.findIndex((value, at) => value !== other[at]);
  return place !== -1 && (one[place] ?? 0) > (other[place] ?? 0);
}
