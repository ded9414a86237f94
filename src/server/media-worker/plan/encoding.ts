import type { Size } from './size.ts';

/** Bits a second for a picture of 1080p, at most and as a rule. */
const FULL = { pixels: 1_920 * 1_080, bits: 8_000_000 } as const;
/** Seconds between pictures that stand by themselves: where a film can be taken up. */
const KEY_SECONDS = 2;

/** How pictures are encoded, in x264's words: quick, good, and never more than a phone's network carries. */
export function pictureEncoding({ width, height }: Size, framesASecond: number): Record<string, string> {
  const share = Math.sqrt((width * height) / FULL.pixels);
  const most = Math.round(Math.max(600_000, FULL.bits * Math.min(1, share)));
  return {
    preset: 'veryfast',
    crf: '21',
    profile: 'high',
    level: '4.2',
    maxrate: String(most),
    bufsize: String(2 * most),
    g: String(Math.max(1, Math.round(KEY_SECONDS * framesASecond))),
  };
}

/** Bits a second of a light film's picture at most: with its sound one million. */
const LIGHT_BITS = 904_000;

/** How the pictures of a light film are encoded: nobody waits for them, every bit counts, and no second of it is much heavier than the others. */
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

/** How a light film's sound is encoded. */
export function lightSoundEncoding(channels: 1 | 2): Record<string, string> {
  return { b: channels === 1 ? '64000' : '96000' };
}

/** How sound is encoded by FFmpeg's own AAC. */
export function soundEncoding(channels: 1 | 2): Record<string, string> {
  return { b: channels === 1 ? '80000' : '128000' };
}
