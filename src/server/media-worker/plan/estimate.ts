import { type FilmPlan, isHdr } from './film-plan.ts';

/** What there is to do for a film. */
type Effort = {
  /** Megapixels. */
  decoded: number;
  /** Megapixels, as they become; with HDR they are tone-mapped before. */
  encoded: number;
  toneMapped: number;
  /** Seconds of sound: all that is heard, and what of it is encoded. */
  heard: number;
  spoken: number;
};

/**
 * Seconds that two cores take for one of each. By films of three minutes: 1080p30 in HEVC took 125 s, 4K60 348 s (decoded as 4K, but only 1080p is
 * encoded), 4K30 in HLG 492 s (no more is encoded than of the first, and tone-mapping takes longest).
 */
const COSTS: Effort = { decoded: 0.0015, encoded: 0.0097, toneMapped: 0.028, heard: 0.007, spoken: 0.015 };

/** What carrying out this plan takes. */
function effortOf({ picture, sound, duration, megapixels }: FilmPlan): Effort {
  const { width, height } = picture.size;
  const encoded = picture.how === 'make' ? width * height * picture.framesASecond * duration * 1e-6 : 0;
  return {
    decoded: megapixels,
    encoded,
    toneMapped: isHdr(picture.track) ? encoded : 0,
    heard: sound === null ? 0 : duration,
    spoken: sound?.how === 'make' ? duration : 0,
  };
}

/** About how many seconds two cores take for it. */
export function expectedSeconds(plan: FilmPlan): number {
  const effort = effortOf(plan);
  return (
    effort.decoded * COSTS.decoded +
    effort.encoded * COSTS.encoded +
    effort.toneMapped * COSTS.toneMapped +
    effort.heard * COSTS.heard +
    effort.spoken * COSTS.spoken
  );
}
