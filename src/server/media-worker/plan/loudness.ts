import { SILENCE_LUFS } from '../../../domain/loudness.ts';
import { type Progress, within } from '../progress.ts';
import { FileRefused } from '../refusal.ts';

/** What measures by EBU R128, on the way of the sound: each of its frames tells what has been heard so far. */
export const METER = 'ebur128=metadata=1:peak=true';
export const METER_KEYS = { integrated: 'lavfi.r128.I', peak: 'lavfi.r128.true_peak' } as const;

/** How loud sound is as a whole (LUFS) and at its highest (dBTP); null for silence, and for less than the meter listens to at once (0.4 s). */
export type Loudness = { loudness: number | null; peak: number | null };
export const UNHEARD: Loudness = { loudness: null, peak: null };

/** What the meter told last. The peak is told as a factor. */
export function loudnessOf(integrated: number, factor: number): Loudness {
  const isHeard = Number.isFinite(integrated) && integrated > SILENCE_LUFS;
  const peak = 20 * Math.log10(Math.max(factor, LEAST_FACTOR));
  return isHeard && Number.isFinite(peak) ? { loudness: integrated, peak } : UNHEARD;
}

/** The meter's smallest step. */
const LEAST_FACTOR = 0.001;

/** What levelled sound never exceeds (dBTP, EBU R128), and where the limiter begins: AAC adds a little to what it is given. */
const TRUE_PEAK = -1;
const CEILING = -1.5;
/** Peaks are held back by at most so much (dB): a clap in an evening of whispers doesn't keep them low, and isn't crushed either. */
const MOST_LIMITED = 12;
/** How often it is made anew where AAC added more. */
const TRIES = 3;
/** Peaks between samples are found at four times the samples. */
const OVERSAMPLED = 192_000;

/** The same gain from beginning to end, so that soft stays soft and loud stays loud; only peaks that would exceed the ceiling are held back for some ms. */
export function levelFilters({ loudness, peak }: Heard, target: number, ceiling = CEILING): string[] {
  const gain = Math.min(target - loudness, MOST_LIMITED + TRUE_PEAK - peak);
  const volume = `volume=${gain.toFixed(2)}dB:precision=double`;
  if (peak + gain <= ceiling) return [volume];
  const limit = (10 ** (ceiling / 20)).toFixed(5);
  return [
    volume,
    `aresample=${OVERSAMPLED}`,
    `alimiter=limit=${limit}:attack=5:release=50:level=false:latency=true`,
  ];
}

type Heard = { loudness: number; peak: number };

type Levelling = {
  target: number;
  progress: Progress;
  measure(which: 'source' | 'made', progress: Progress): Promise<Loudness>;
  /** Makes the file with these filters on the way of its sound. */
  make(filters: string[], progress: Progress): Promise<void>;
};

/**
 * Measures, makes, and measures what was made, until no peak is too high.
 * @throws {FileRefused} `no_sound` where there is nothing to be heard
 */
export async function level({ target, progress, measure, make }: Levelling): Promise<Loudness> {
  const { loudness, peak } = await measure('source', partOf(progress, 0, 0.3));
  if (loudness === null || peak === null) throw new FileRefused('no_sound');
  let ceiling = CEILING;
  for (let tried = 1; ; tried += 1) {
    await make(levelFilters({ loudness, peak }, target, ceiling), partOf(progress, 0.3, 0.8));
    const after = await measure('made', partOf(progress, 0.8, 1));
    const excess = (after.peak ?? TRUE_PEAK) - TRUE_PEAK;
    if (excess <= 0 || tried === TRIES) return after;
    ceiling -= excess + 0.1;
  }
}

/** A part of the work tells how far it is itself. */
const partOf = (progress: Progress, from: number, to: number): Progress => ({
  ...progress,
  share: within(progress.share, from, to),
});
