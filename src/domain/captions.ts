/**
 * Audience of a film's captions: `device`: visitors whose phone or browser has captions turned on; `always`: all visitors;
 * `never`: none, but the captions stay stored.
 */
export const CAPTION_MODES = ['device', 'always', 'never'] as const;
export type CaptionMode = (typeof CAPTION_MODES)[number];

/** Captions of a film for a visit: WebVTT at an address of ours. */
export type Captions = { url: string; always: boolean };

/** Captions of a film in the administrator's list. */
export type FilmCaptions = { url: string; mode: CaptionMode };

/** Returns the captions of a stored row; null if it has none. An unknown mode counts as `device`. */
export function storedCaptions(row: {
  captions_url: string | null;
  captions_mode: string;
}): FilmCaptions | null {
  const mode = CAPTION_MODES.find((known) => known === row.captions_mode) ?? 'device';
  return row.captions_url === null ? null : { url: row.captions_url, mode };
}

/** Returns the captions to send to a visit; null if there are none or they are disabled. */
export function captionsFor(captions: FilmCaptions | null): Captions | null {
  if (captions === null || captions.mode === 'never') return null;
  return { url: captions.url, always: captions.mode === 'always' };
}

/** Seconds that the last caption may exceed its film. Files for another cut exceed it by more. */
const GRACE_SECONDS = 2;

/**
 * Returns true if the captions belong to another film, or to another cut of it.
 * @param end in seconds, null if unknown
 * @param film in seconds, null if unknown
 */
export function endsAfterFilm(end: number | null, film: number | null): boolean {
  return end !== null && film !== null && end > film + GRACE_SECONDS;
}

/** Formats a point in a film for WebVTT, to the millisecond. */
export function captionTime(seconds: number): string {
  const ms = Math.round(seconds * 1_000);
  const part = (of: number, digits: number) => String(Math.floor(of)).padStart(digits, '0');
  const [h, m, s] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1_000) % 60];
  return `${part(h, 2)}:${part(m, 2)}:${part(s, 2)}.${part(ms % 1_000, 3)}`;
}
