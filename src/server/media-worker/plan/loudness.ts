import { SILENCE_LUFS } from '../../../domain/media.ts';

/** FFmpeg's EBU R128 meter. The metadata of each frame has the loudness up to there. */
export const METER = 'ebur128=metadata=1';
export const METER_KEY = 'lavfi.r128.I';

/** Returns the meter's last value in LUFS, or null for silence. */
export function loudnessOf(integrated: number): number | null {
  return Number.isFinite(integrated) && integrated > SILENCE_LUFS ? integrated : null;
}
