import type { Size } from './size.ts';

/** Size of 1080p, and its maximum bit rate in bits per second; smaller pictures get less. */
const FULL = { pixels: 1_920 * 1_080, bits: 8_000_000 } as const;
/** Seconds between keyframes, at which playback can start. */
const KEY_SECONDS = 2;

/** Returns x264 options: fast, good, and within the bandwidth of a phone's network. */
export function pictureEncoding({ width, height }: Size, framesASecond: number): Record<string, string> {
  const share = Math.sqrt((width * height) / FULL.pixels);
  const maxBits = Math.round(Math.max(600_000, FULL.bits * Math.min(1, share)));
  return {
    preset: 'veryfast',
    crf: '21',
    profile: 'high',
    level: '4.2',
    maxrate: String(maxBits),
    bufsize: String(2 * maxBits),
    g: String(Math.max(1, Math.round(KEY_SECONDS * framesASecond))),
  };
}

/** Maximum bit rate of a light film's picture; with sound it is one million bits per second. */
const LIGHT_BITS = 904_000;

/** Returns x264 options of a light film: slow and small, because it runs in the background, with an even bit rate. */
export function lightEncoding(framesASecond: number): Record<string, string> {
  return {
    preset: 'fast',
    crf: '26',
    profile: 'high',
    level: '4.2',
    maxrate: String(LIGHT_BITS),
    bufsize: String(LIGHT_BITS),
    g: String(Math.max(1, Math.round(KEY_SECONDS * framesASecond))),
  };
}

export function lightSoundEncoding(channels: 1 | 2): Record<string, string> {
  return { b: channels === 1 ? '64000' : '96000' };
}

/** Returns options of FFmpeg's own AAC encoder. */
export function soundEncoding(channels: 1 | 2): Record<string, string> {
  return { b: channels === 1 ? '80000' : '128000' };
}
