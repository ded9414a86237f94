/**
 * The pages of tickets are drawn once, as pictures. No viewer scrolls through more than `max` of them. `width` is three times a phone's, so that a QR
 * code can be read from its glass; `smallWidth` is for lists. Pixels.
 */
export const TICKET_PAGES = { max: 20, width: 1_170, smallWidth: 360 } as const;

/**
 * Why a page may not look as its author meant: `blank`: it has content and came out white; `image`: a picture in it can't be decoded; `font`: a font
 * isn't embedded, so that another one was used.
 */
export const PAGE_FINDINGS = ['blank', 'image', 'font'] as const;
export type PageFinding = (typeof PAGE_FINDINGS)[number];

/** A page as it was drawn, at its full and at its small size. */
export type TicketPage = { url: string; small_url: string; finding: PageFinding | null };

/** Returns true if part of the page can't be read: the visitor would miss something that is in the file. */
export const isUnreadable = ({ finding }: Pick<TicketPage, 'finding'>): boolean =>
  finding === 'blank' || finding === 'image';
