/** Nothing that is shown at an evening has larger pictures (pixels: 8K is 33 million). */
export const MAX_PIXELS = 36_000_000;

/** Nobody films nothing for so long (seconds): a longer hole in all tracks is a lie about time. */
export const MAX_GAP_SECONDS = 60;

/** Packets of one track; more than six hours at 120 a second have. */
export const MAX_PACKETS = 3_000_000;

/** Samples of sound in a second: nobody records fewer or more, and who says so lies. */
export const SOUND_RATES = { least: 2_000, most: 768_000 } as const;
