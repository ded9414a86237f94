import type { FilmPlan } from './film-plan.ts';
import { isHdr, type Size } from './picture-filters.ts';
import type { SoundTrack } from './tracks.ts';

/** Size of 1080p, and its maximum bit rate in bits per second; smaller pictures get less. */
const FULL = { pixels: 1_920 * 1_080, bits: 8_000_000 } as const;
/** Maximum bit rate of a light film's picture; with sound it is one million bits per second. */
const LIGHT_BITS = 904_000;
/** Seconds between keyframes, at which playback can start. */
const KEY_SECONDS = 2;

/**
 * Returns x264 options: fast, good, and within the bandwidth of a phone's network. A light film is slow and small, because it runs in the
 * background, with an even bit rate.
 */
export function pictureEncoding(
  { width, height }: Size,
  framesASecond: number,
  isLight: boolean,
): Record<string, string> {
  const share = Math.sqrt((width * height) / FULL.pixels);
  const maxBits = isLight ? LIGHT_BITS : Math.round(Math.max(600_000, FULL.bits * Math.min(1, share)));
  return {
    preset: isLight ? 'fast' : 'veryfast',
    crf: isLight ? '26' : '21',
    profile: 'high',
    level: '4.2',
    maxrate: String(maxBits),
    bufsize: String(isLight ? maxBits : 2 * maxBits),
    g: String(Math.max(1, Math.round(KEY_SECONDS * framesASecond))),
  };
}

/** FFmpeg's profile number of AAC Low Complexity. */
const LOW_COMPLEXITY = 1;

/** Returns true for AAC-LC with at most two channels and timestamps that can be copied. */
export function isPlainSound({ codec, profile, channels, rate, times }: SoundTrack): boolean {
  return (
    codec === 'aac' &&
    profile === LOW_COMPLEXITY &&
    channels >= 1 &&
    channels <= 2 &&
    rate <= 48_000 &&
    times?.astray === 0 &&
    !times.isCutInside
  );
}

/**
 * Returns mono for mono, otherwise stereo, at one of the two rates that every phone's hardware uses, with options of FFmpeg's own AAC
 * encoder. The filters fill gaps with silence and cut overlaps, so that sound stays in sync with the picture. The encoder takes 1,024
 * samples at a time.
 */
export function soundEncoding(track: SoundTrack, isLight: boolean) {
  const channels = track.channels === 1 ? 1 : 2;
  const rate = track.rate % 11_025 === 0 ? 44_100 : 48_000;
  const filters = [
    'aresample=async=1:min_hard_comp=0.04',
    `aformat=sample_fmts=fltp:sample_rates=${rate}:channel_layouts=${channels === 1 ? 'mono' : 'stereo'}`,
    'asetnsamples=n=1024:p=0',
  ].join(',');
  const [mono, stereo] = isLight ? ['64000', '96000'] : ['80000', '128000'];
  return { channels, rate, filters, encoding: { b: channels === 1 ? mono : stereo } } as const;
}

/**
 * Seconds that two cores take per unit: megapixels of the source, megapixels of the result, also tone-mapped ones (with HDR), and seconds
 * of sound. Measured on films of three minutes: 1080p30 in HEVC 125 s, 4K60 348 s (encoded as 1080p), 4K30 in HLG 492 s (encoded like the
 * first, but tone mapping takes longest).
 */
const COSTS = {
  decoded: 0.0015,
  encoded: 0.0097,
  toneMapped: 0.028,
  decodedSound: 0.007,
  encodedSound: 0.015,
} as const;

/** Returns the estimated seconds on two cores. */
export function expectedSeconds({ picture, sound, duration, megapixels }: FilmPlan): number {
  const { width, height } = picture.size;
  const encoded = picture.how === 'make' ? width * height * picture.framesASecond * duration * 1e-6 : 0;
  return (
    megapixels * COSTS.decoded +
    encoded * (COSTS.encoded + (isHdr(picture.track) ? COSTS.toneMapped : 0)) +
    (sound === null ? 0 : duration * COSTS.decodedSound) +
    (sound?.how === 'make' ? duration * COSTS.encodedSound : 0)
  );
}
