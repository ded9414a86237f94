/** Colour themes of the evening; the first is the default. Each is one file of tokens in `src/web/dresses`. */
export const DRESSES = ['notte', 'alba'] as const;
export type Dress = (typeof DRESSES)[number];

/**
 * Colours of the phone's own bars above the access screen, by day and by night: the grounds of the dress's tokens, needed before a style
 * sheet is loaded.
 */
export const BARS: Record<Dress, { day: string; night: string }> = {
  notte: { day: '#fbeee8', night: '#170d16' },
  alba: { day: '#f1f5f3', night: '#07161f' },
};

/** Returns the dress of this name; the first one if the name is missing or unknown. */
export function parseDress(name: string | null | undefined): Dress {
  return DRESSES.find((dress) => dress === name) ?? DRESSES[0];
}
