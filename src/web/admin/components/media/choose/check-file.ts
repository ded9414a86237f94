import type { FileRefusal } from '../../../../../contract/admin/media.ts';
import { MEDIA_SLOTS, type MediaKind, type SlotName } from '../../../../../domain/media-slots.ts';
import { uploadTexts } from '../../../../../texts/admin/media.ts';
import { errorSentences } from '../../../../../texts/errors.ts';

/** What the file dialog offers for each kind of file. */
export const ACCEPTED: Record<MediaKind, string[]> = {
  video: ['video/mp4', 'video/quicktime', '.mp4', '.m4v', '.mov'],
  image: ['image/jpeg', 'image/png', '.jpg', '.jpeg', '.png'],
  tickets: ['application/pdf', 'image/jpeg', 'image/png', '.pdf', '.jpg', '.jpeg', '.png'],
  song: ['audio/*'],
};

const NOT_ACCEPTED: Record<MediaKind, FileRefusal> = {
  video: 'FILE_NOT_VIDEO',
  image: 'FILE_NOT_IMAGE',
  tickets: 'FILE_NOT_TICKETS',
  song: 'FILE_NOT_AUDIO',
};

/** Kinds that a sentence of their own is about. */
const KNOWN_OTHERS: Record<string, FileRefusal> = {
  'image/heic': 'FILE_HEIC',
  'image/heif': 'FILE_HEIC',
  '.heic': 'FILE_HEIC',
  '.heif': 'FILE_HEIC',
  'image/svg+xml': 'FILE_SVG',
  '.svg': 'FILE_SVG',
};

/**
 * Why a file is not worth sending, or null. Only what is plain from outside: what it really is the server reads from its bytes.
 * @param maxBytes how large it may be: `useMaxBytes(slot)`
 */
export function problemOf({ name, type, size }: File, slot: SlotName, maxBytes: number): string | null {
  const { kind } = MEDIA_SLOTS[slot];
  const marks = [type.toLowerCase(), extensionOf(name)];
  const known = marks.map((mark) => KNOWN_OTHERS[mark]).find((refusal) => refusal !== undefined);
  if (known !== undefined && kind !== 'video' && kind !== 'song') return errorSentences[known];
  if (!marks.some((mark) => isAccepted(mark, kind))) return errorSentences[NOT_ACCEPTED[kind]];
  if (size === 0) return errorSentences.FILE_EMPTY;
  return size > maxBytes ? uploadTexts.tooLarge(size, maxBytes) : null;
}

function isAccepted(mark: string, kind: MediaKind): boolean {
  if (mark === '') return false;
  return kind === 'song' ? mark.startsWith('audio/') : ACCEPTED[kind].includes(mark);
}

function extensionOf(name: string): string {
  return /\.[^.]+$/.exec(name.toLowerCase())?.[0] ?? '';
}
