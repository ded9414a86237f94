import { createHash } from 'node:crypto';
import { TICKET_PAGES } from '../../../domain/media.ts';
import { formatOf, RENDITION_NAMES, type RenditionName } from '../../../domain/pictures.ts';

/** A rendered page of tickets, counted from 1, and its small version. */
export type PageKind = `page-${number}` | `page-${number}-small`;

/**
 * Kind of a companion file, derived from a stored file: film poster, captions, light version, PDF of a ticket picture,
 * ticket pages, and picture renditions.
 */
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

/** Returns the two pictures of a ticket page, counted from 1. */
export function pageKinds(page: number): [PageKind, PageKind] {
  return [`page-${page}`, `page-${page}-small`];
}

/** All pages that tickets can have. */
export const PAGE_KINDS: readonly PageKind[] = Array.from({ length: TICKET_PAGES.max }, (_, index) =>
  pageKinds(index + 1),
).flat();

/** Sound files of a film, stored by earlier versions; only deleted with the film. */
type FormerKind = 'sounds';

/**
 * Companions with the lifetime of their file. A film's poster and captions can be replaced, so its row in the list of
 * films has their ids.
 */
const INSEPARABLE: readonly (CompanionKind | FormerKind)[] = [
  'pdf',
  'light',
  'sounds',
  ...RENDITION_NAMES,
  ...PAGE_KINDS,
];

/** Returns the ids of these companions. */
export const companionsOf = (id: string): string[] => INSEPARABLE.map((kind) => companionId(id, kind));

/** Returns the id of a file's companion, always the same for a file. Knowing it grants no access. */
export const companionId = (id: string, kind: CompanionKind | FormerKind): string =>
  createHash('sha256').update(`${kind} of ${id}`).digest('hex').slice(0, 32);
