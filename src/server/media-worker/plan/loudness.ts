import { SILENCE_LUFS } from '../../../domain/loudness.ts';

/** What measures by EBU R128, on the way of the sound: each of its frames tells what has been heard so far. */
export const METER = 'ebur128=metadata=1';
export const METER_KEY = 'lavfi.r128.I';

/** What the meter told last, in LUFS; null for silence. */
export function loudnessOf(integrated: number): number | null {
  return Number.isFinite(integrated) && integrated > SILENCE_LUFS ? integrated : null;
}
