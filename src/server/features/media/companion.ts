import { createHash } from 'node:crypto';
import { formatOf, RENDITION_NAMES, type RenditionName } from '../../../domain/renditions.ts';

/** What is made of a stored file and stored beside it, a file of its own: a film's picture, its captions, its light version and the sounds it may be given, a picture of tickets as a PDF, a picture in other sizes and formats. */
export type CompanionKind = 'poster' | 'captions' | 'light' | 'sounds' | 'pdf' | RenditionName;

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
  if (kind === 'sounds') return { nome: 'suoni.mp4', extension: 'mp4', content_type: 'audio/mp4' };
  if (kind === 'pdf') return { nome: 'biglietti.pdf', extension: 'pdf', content_type: TYPES.pdf };
  const extension = formatOf(kind);
  return { nome: `immagine-${kind}`, extension, content_type: TYPES[extension] };
}

/** Those that come and go with their file. A film's picture and captions may be made anew: its row in the list of films says which they are. */
const INSEPARABLE: readonly CompanionKind[] = ['pdf', 'light', 'sounds', ...RENDITION_NAMES];

/** What of a file comes and goes with it. */
export const companionsOf = (id: string): string[] => INSEPARABLE.map((kind) => companionId(id, kind));

/** The id of a file's companion: the same for the same file, however often it is made. No page is told it; knowing it opens nothing. */
export const companionId = (id: string, kind: CompanionKind): string =>
  createHash('sha256').update(`${kind} of ${id}`).digest('hex').slice(0, 32);
