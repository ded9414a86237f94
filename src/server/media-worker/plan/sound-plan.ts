import type { SoundTrack } from './tracks.ts';

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

/** Returns mono for mono, otherwise stereo, at one of the two rates that every phone's hardware uses. */
export function soundShape({ channels, rate }: SoundTrack): { channels: 1 | 2; rate: number } {
  return { channels: channels === 1 ? 1 : 2, rate: rate % 11_025 === 0 ? 44_100 : 48_000 };
}

/**
 * Returns filters that fill gaps with silence and cut overlaps, so that sound stays in sync with the picture. The encoder takes 1,024
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
