import type { SoundTrack } from './tracks.ts';

/** AAC's Low Complexity, as its profiles are numbered. */
const LOW_COMPLEXITY = 1;

/** Is it AAC-LC with at most two channels, and with times that can be taken over? */
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

/** Made sound has one channel where it had one, else two, at one of the two rates that every phone's hardware runs at. */
export function soundShape({ channels, rate }: SoundTrack): { channels: 1 | 2; rate: number } {
  return { channels: channels === 1 ? 1 : 2, rate: rate % 11_025 === 0 ? 44_100 : 48_000 };
}

/**
 * Holes in time become silence and what overlaps is cut, so that sound never leaves the picture; then the shape that the encoder takes: 1,024
 * samples at a time.
 */
export function soundFilters(track: SoundTrack): string {
  const { channels, rate } = soundShape(track);
  return [
    'aresample=async=1:min_hard_comp=0.04',
    `aformat=sample_fmts=fltp:sample_rates=${rate}:channel_layouts=${channels === 1 ? 'mono' : 'stereo'}`,
    'asetnsamples=n=1024:p=0',
  ].join(',');
}
