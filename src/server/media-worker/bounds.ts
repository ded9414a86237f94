/** Largest picture of a film, in pixels; 8K has 33 million. */
export const MAX_PIXELS = 36_000_000;

/** Longest time without a packet in any track, in seconds; a longer one means wrong timestamps. */
export const MAX_GAP_SECONDS = 60;

/** Maximum packets of one track: more than six hours at 120 per second. */
export const MAX_PACKETS = 3_000_000;

/** Plausible sample rates in Hz; others mean wrong metadata. */
export const SOUND_RATES = { min: 2_000, max: 768_000 } as const;
