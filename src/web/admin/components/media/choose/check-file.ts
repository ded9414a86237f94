import { type FileRefusal, WRONG_KIND_REFUSAL } from '../../../../../contract/admin/media.ts';
import { MEDIA_SLOTS, type MediaKind, type SlotName } from '../../../../../domain/media.ts';
import { uploadTexts } from '../../../../../texts/admin/uploads.ts';
import { errorSentences } from '../../../../../texts/errors.ts';

/** Extensions of films that some file dialogs don't recognize as films. */
const FILMS =
  '.mp4 .m4v .mov .qt .mkv .webm .avi .divx .wmv .asf .flv .f4v .ogv .3gp .3g2 .mpg .mpeg .m2v .vob .ts .mts .m2ts .mod .tod .dv .mxf'.split(
    ' ',
  );
/** Extensions of songs that some file dialogs don't recognize. */
const SONGS =
  '.mp3 .m4a .m4b .aac .wav .flac .ogg .oga .opus .wma .amr .awb .aif .aiff .aifc .caf .ac3 .eac3 .dts .ape .wv .mka .weba .mp2'.split(
    ' ',
  );

/** Extensions of pictures that some file dialogs don't recognize. */
const PICTURES = '.jpg .jpeg .jfif .png .heic .heif .hif .avif .webp .tif .tiff .gif .dng'.split(' ');

/** Types offered by the file dialog for each kind of file. A song may be a film's sound track. */
export const ACCEPTED: Record<MediaKind, string[]> = {
  video: ['video/*', ...FILMS],
  image: ['image/*', ...PICTURES],
  tickets: ['application/pdf', 'image/*', '.pdf', ...PICTURES],
  song: ['audio/*', 'video/*', ...SONGS, ...FILMS],
};

/** File types with a specific refusal. */
const KNOWN_OTHERS: Record<string, FileRefusal> = {
  'image/svg+xml': 'FILE_SVG',
  '.svg': 'FILE_SVG',
  'application/vnd.apple.pkpass': 'FILE_WALLET_PASS',
  '.pkpass': 'FILE_WALLET_PASS',
  '.pkpasses': 'FILE_WALLET_PASS',
};

/** Types and extensions of other files than films and songs. */
const NEITHER_FILM_NOR_SONG = new RegExp(
  [
    String.raw`^(?:image|text|font)/`,
    String.raw`^application/(?:pdf|zip|rtf|json|msword|vnd\.(?:ms-|openxmlformats|oasis))`,
    String.raw`^\.(?:jpe?g|png|gif|webp|avif|hei[cf]|svg|pdf|zip|txt|rtf|docx?|xlsx?|pptx?)$`,
  ].join('|'),
);

/**
 * Returns why a file is not worth sending, or null. Judges by name, type and size; the server checks the bytes.
 * @param maxBytes the slot's maximum, which the installation may set
 */
export function fileProblem({ name, type, size }: File, slot: SlotName, maxBytes: number): string | null {
  const { kind } = MEDIA_SLOTS[slot];
  const refusal = refusalFromOutside([extensionOf(name), type.toLowerCase()], kind);
  if (refusal !== null) return errorSentences[refusal];
  if (size === 0) return errorSentences.FILE_EMPTY;
  return size > maxBytes ? uploadTexts.tooLarge(size, maxBytes, kind) : null;
}

/** @param marks the file's extension and its type according to the system */
function refusalFromOutside(marks: readonly string[], kind: MediaKind): FileRefusal | null {
  switch (kind) {
    case 'video':
    case 'song':
      return refusalOfSound(marks, kind);
    case 'image':
    case 'tickets': {
      const known = marks.map((mark) => KNOWN_OTHERS[mark]).find((refusal) => refusal !== undefined);
      if (known !== undefined) return known;
      const isKnown = marks.some((mark) => mark.startsWith('image/') || ACCEPTED[kind].includes(mark));
      return isKnown || marks.every((mark) => mark === '') ? null : WRONG_KIND_REFUSAL[kind];
    }
  }
}

/** Refuses few films and songs: the server can read most, and systems report some with a wrong type (`.ts` as text). */
function refusalOfSound(marks: readonly string[], kind: 'video' | 'song'): FileRefusal | null {
  if (marks.some((mark) => ACCEPTED[kind].includes(mark))) return null;
  if (marks.some((mark) => NEITHER_FILM_NOR_SONG.test(mark))) return WRONG_KIND_REFUSAL[kind];
  const isSong = marks.some((mark) => mark.startsWith('audio/') || SONGS.includes(mark));
  return kind === 'video' && isSong ? 'FILE_NO_PICTURE' : null;
}

function extensionOf(name: string): string {
  return /\.[^.]+$/.exec(name.toLowerCase())?.[0] ?? '';
}
