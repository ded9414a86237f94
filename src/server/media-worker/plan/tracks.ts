import type { Times } from './times.ts';

/** A track, from the demuxer. */
export type Track = {
  index: number;
  codec: string;
  profile: number;
  isEnabled: boolean;
  /** True if FFmpeg has a decoder for the codec. */
  isReadable: boolean;
  isProtected: boolean;
  times: Times | null;
};

/** A picture track, also from its first decoded pictures. Colours are code points of ISO/IEC 23091-2. */
export type PictureTrack = Track & {
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
};

export type SoundTrack = Track & { channels: number; rate: number };

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

/** Plausible sample rates in Hz; others mean wrong metadata. 0 means unknown, for tracks that can't be decoded. */
const SOUND_RATES = { min: 2_000, max: 768_000 } as const;
const isRate = (rate: number) => rate === 0 || (rate >= SOUND_RATES.min && rate <= SOUND_RATES.max);

/** Returns the sound track: decodable ones first, then enabled ones, then the first. Ignores tracks with an impossible sample rate. */
export function soundOf({ sounds }: Tracks): SoundTrack | null {
  const real = sounds.filter(({ times, rate }) => times !== null && isRate(rate));
  return best(real, ({ isEnabled, isReadable, isProtected }) => [
    Number(isReadable || isProtected),
    Number(isEnabled),
  ]);
}

/** Returns the first element with the highest rank; earlier numbers of a rank decide. */
function best<T>(all: readonly T[], rankOf: (one: T) => number[]): T | null {
  const compare = (one: number[], other: number[]) =>
    one.map((value, place) => value - (other[place] ?? 0)).find((difference) => difference !== 0) ?? 0;
  return all.toSorted((one, other) => compare(rankOf(other), rankOf(one)))[0] ?? null;
}
