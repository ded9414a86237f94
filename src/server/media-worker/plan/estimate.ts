import { type FilmPlan, isHdr } from './film-plan.ts';

/** Work that a film needs. */
type Effort = {
  /** Megapixels of the source. */
  decoded: number;
  /** Megapixels of the result; with HDR they are tone-mapped first. */
  encoded: number;
  toneMapped: number;
  /** Seconds of sound, decoded and encoded. */
  decodedSound: number;
  encodedSound: number;
};

/**
 * Seconds that two cores take per unit. Measured on films of three minutes: 1080p30 in HEVC 125 s, 4K60 348 s (encoded as 1080p), 4K30 in
 * HLG 492 s (encoded like the first, but tone mapping takes longest).
 */
const COSTS: Effort = {
  decoded: 0.0015,
  encoded: 0.0097,
  toneMapped: 0.028,
  decodedSound: 0.007,
  encodedSound: 0.015,
};

function effortOf({ picture, sound, duration, megapixels }: FilmPlan): Effort {
  const { width, height } = picture.size;
  const encoded = picture.how === 'make' ? width * height * picture.framesASecond * duration * 1e-6 : 0;
  return {
    decoded: megapixels,
    encoded,
    toneMapped: isHdr(picture.track) ? encoded : 0,
    decodedSound: sound === null ? 0 : duration,
    encodedSound: sound?.how === 'make' ? duration : 0,
  };
}

/** Returns the estimated seconds on two cores. */
export function expectedSeconds(plan: FilmPlan): number {
  const effort = effortOf(plan);
  return (
    effort.decoded * COSTS.decoded +
    effort.encoded * COSTS.encoded +
    effort.toneMapped * COSTS.toneMapped +
    effort.decodedSound * COSTS.decodedSound +
    effort.encodedSound * COSTS.encodedSound
  );
}
