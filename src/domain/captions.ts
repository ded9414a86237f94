/**
 * To whom a film's captions are shown: `device`: to whoever has captions turned on in the phone or the browser; `always`: to everybody;
 * `never`: to nobody, and they are kept.
 */
export const CAPTION_MODES = ['device', 'always', 'never'] as const;
export type CaptionMode = (typeof CAPTION_MODES)[number];

/** A film's captions as a visit has them: WebVTT at an address of ours. */
export type Captions = { url: string; always: boolean };

/** A film's captions as its list has them. */
export type FilmCaptions = { url: string; mode: CaptionMode };

/** The same out of a stored row; null where there are none. */
export function storedCaptions(row: {
  captions_url: string | null;
  captions_mode: string;
}): FilmCaptions | null {
  const mode = CAPTION_MODES.find((known) => known === row.captions_mode) ?? 'device';
  return row.captions_url === null ? null : { url: row.captions_url, mode };
}

/** What is handed out of a film's captions; null where there are none, or they are for nobody. */
export function captionsFor(captions: FilmCaptions | null): Captions | null {
  if (captions === null || captions.mode === 'never') return null;
  return { url: captions.url, always: captions.mode === 'always' };
}

/** So long (seconds) the last caption may stand after its film's end: files made for another cut of it say more. */
const GRACE_SECONDS = 2;

/** Are they another film's, or of another cut of it? Both in seconds; null: not known. */
export function endsAfterFilm(end: number | null, film: number | null): boolean {
  return end !== null && film !== null && end > film + GRACE_SECONDS;
}

/** A point in a film as WebVTT writes it, to the millisecond. */
export function captionTime(seconds: number): string {
  const ms = Math.round(seconds * 1_000);
  const part = (of: number, digits: number) => String(Math.floor(of)).padStart(digits, '0');
  const [h, m, s] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1_000) % 60];
  return `${part(h, 2)}:${part(m, 2)}:${part(s, 2)}.${part(ms % 1_000, 3)}`;
}
