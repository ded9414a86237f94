/** What the whole evening wears, the first one before anything was chosen. Each is one file of tokens in `src/web/dresses`. */
export const DRESSES = ['notte', 'alba'] as const;
export type Dress = (typeof DRESSES)[number];

/** The colours of the phone's own bars over the access screen's two forms: the grounds of the dress's tokens, for where there is no style sheet yet. */
export const BARS: Record<Dress, { day: string; night: string }> = {
  notte: { day: '#fbeee8', night: '#170d16' },
  alba: { day: '#f1f5f3', night: '#07161f' },
};

/** The name of a dress, or the first one's: of a page that says none, or one that there is no more. */
export function dressNamed(name: string | null | undefined): Dress {
  return DRESSES.find((dress) => dress === name) ?? DRESSES[0];
}
