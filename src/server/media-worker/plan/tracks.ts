import { SOUND_RATES } from '../bounds.ts';
import type { Times } from './times.ts';

/** A track of pictures, as the demuxer and the first decoded pictures tell it. Colours by the code points of ISO/IEC 23091-2. */
export type PictureTrack = {
  index: number;
  codec: string;
  profile: number;
  level: number;
  width: number;
  height: number;
  /** How much wider than high a pixel is. */
  pixelAspect: number;
  /** FFmpeg's name of how pixels are stored; null when none could be decoded. */
  pixels: string | null;
  isInterlaced: boolean;
  /** How it is to be turned, as nine numbers of an MP4; null: not at all. */
  matrix: readonly number[] | null;
  colour: { primaries: number; transfer: number; matrix: number; isFull: boolean };
  /** A cover, a still, thumbnails or what only serves another track. */
  isExtra: boolean;
  isEnabled: boolean;
  /** Is there something here that decodes its kind? */
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

/** A whole file, as probing finds it. */
export type Tracks = {
  container: string;
  pictures: PictureTrack[];
  sounds: SoundTrack[];
  /** The longest stretch in which no track has anything, in seconds. */
  longestHole: number;
  /** It ends before its index does. */
  isCutShort: boolean;
};

/**
 * The film's picture: one that moves or at least lasts, that is enabled and can be decoded. Of several the one that is shown longest, then the
 * larger one: previews and proxies are shorter or smaller.
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

/** The first sound that is enabled and can be decoded; what lies about its rate is none. */
export function soundOf({ sounds }: Tracks): SoundTrack | null {
  const real = sounds.filter(({ times, rate }) => times !== null && isRate(rate));
  return best(real, ({ isEnabled, isReadable, isProtected }) => [
    Number(isReadable || isProtected),
    Number(isEnabled),
  ]);
}

/** Of what can't be decoded it may not be known (0). */
const isRate = (rate: number) => rate === 0 || (rate >= SOUND_RATES.least && rate <= SOUND_RATES.most);

/** The first of those that none is better than, the earlier number deciding. */
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
