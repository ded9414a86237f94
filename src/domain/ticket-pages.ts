/**
 * Ticket pages are rendered once, as pictures, at most `max` of them, the limit of comfortable scrolling. `width` is three times a phone's,
 * so that a QR code can be scanned from the screen; `smallWidth` is for lists. In pixels.
 */
export const TICKET_PAGES = { max: 20, width: 1_170, smallWidth: 360 } as const;

/**
 * Defects of a rendered page: `blank`: it has content but is white; `image`: a picture in it can't be decoded;
 * `font`: a font isn't embedded and was replaced.
 */
export const PAGE_FINDINGS = ['blank', 'image', 'font'] as const;
export type PageFinding = (typeof PAGE_FINDINGS)[number];

/** A rendered page, in full size and in small size. */
export type TicketPage = { url: string; small_url: string; finding: PageFinding | null };

/** Returns true if part of the page can't be read, so the visitor would miss content of the file. */
export const isUnreadable = ({ finding }: Pick<TicketPage, 'finding'>): boolean =>
  finding === 'blank' || finding === 'image';
