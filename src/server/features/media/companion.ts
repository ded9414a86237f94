import { createHash } from 'node:crypto';

/** What is made of a stored file and stored beside it, a file of its own: a film's picture, a picture of tickets as a PDF. */
export const COMPANIONS = {
  poster: { nome: 'copertina.jpg', extension: 'jpg', content_type: 'image/jpeg' },
  pdf: { nome: 'biglietti.pdf', extension: 'pdf', content_type: 'application/pdf' },
} as const;
export type CompanionKind = keyof typeof COMPANIONS;

/** Those that come and go with their file. A film's picture may be taken anew: its row in the list of films says which it is. */
const INSEPARABLE: readonly CompanionKind[] = ['pdf'];

/** What of a file comes and goes with it. */
export const companionsOf = (id: string): string[] => INSEPARABLE.map((kind) => companionId(id, kind));

/** The id of a file's companion: the same for the same file, however often it is made. No page is told it; knowing it opens nothing. */
export const companionId = (id: string, kind: CompanionKind): string =>
  createHash('sha256').update(`${kind} of ${id}`).digest('hex').slice(0, 32);
