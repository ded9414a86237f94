import { createHash } from 'node:crypto';
import { formatOf, RENDITION_NAMES, type RenditionName } from '../../../domain/renditions.ts';
import { TICKET_PAGES } from '../../../domain/ticket-pages.ts';

/** A drawn page of tickets, counted from 1, and the same as a small picture. */
export type PageKind = `page-${number}` | `page-${number}-small`;

/** What is made of a stored file and stored beside it, a file of its own: a film's picture, its captions, its light version, a picture of tickets as a PDF, the pages of tickets, a picture in other sizes and formats. */
export type CompanionKind = 'poster' | 'captions' | 'light' | 'pdf' | PageKind | RenditionName;

const TYPES = {
  jpg: 'image/jpeg',
  png: 'image/png',
  avif: 'image/avif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  mp4: 'video/mp4',
  vtt: 'text/vtt',
} as const;

/** What a companion is called and what it is, as it is stored. */
export function companionFile(kind: CompanionKind) {
  if (kind === 'poster') return { nome: 'copertina.jpg', extension: 'jpg', content_type: TYPES.jpg };
  if (kind === 'captions') return { nome: 'sottotitoli.vtt', extension: 'vtt', content_type: TYPES.vtt };
  if (kind === 'light') return { nome: 'leggero.mp4', extension: 'mp4', content_type: TYPES.mp4 };
  if (kind === 'pdf') return { nome: 'biglietti.pdf', extension: 'pdf', content_type: TYPES.pdf };
  if (isPage(kind)) return { nome: `biglietti-${kind}.webp`, extension: 'webp', content_type: TYPES.webp };
  const extension = formatOf(kind);
  return { nome: `immagine-${kind}`, extension, content_type: TYPES[extension] };
}

const isPage = (kind: CompanionKind): kind is PageKind => kind.startsWith('page-');

/** The two pictures of a page of tickets, counted from 1. */
export function pageKinds(page: number): [PageKind, PageKind] {
  return [`page-${page}`, `page-${page}-small`];
}

/** All that tickets may have. */
export const PAGE_KINDS: readonly PageKind[] = Array.from({ length: TICKET_PAGES.max }, (_, index) =>
  pageKinds(index + 1),
).flat();

/** The sounds of a film, stored by earlier versions. They are only deleted with their film. */
type FormerKind = 'sounds';

/** Those that come and go with their file. A film's picture and captions may be made anew: its row in the list of films says which they are. */
const INSEPARABLE: readonly (CompanionKind | FormerKind)[] = [
  'pdf',
  'light',
  'sounds',
  ...RENDITION_NAMES,
  ...PAGE_KINDS,
];

/** What of a file comes and goes with it. */
export const companionsOf = (id: string): string[] => INSEPARABLE.map((kind) => companionId(id, kind));

/** The id of a file's companion: the same for the same file, however often it is made. Knowing it opens nothing. */
export const companionId = (id: string, kind: CompanionKind | FormerKind): string =>
  createHash('sha256').update(`${kind} of ${id}`).digest('hex').slice(0, 32);
