import { type FileRefusal, WRONG_KIND_REFUSAL } from '../../../contract/admin/media-processing.ts';
import type { MediaKind } from '../../../domain/media-slots.ts';
import type { FileProblem } from '../../media-worker/worker.ts';

/** Returns the refusal of a file that the media worker can't use. */
export function fileRefusalFor(problem: FileProblem, kind: MediaKind): FileRefusal {
  switch (problem) {
    case 'empty':
      return 'FILE_EMPTY';
    case 'unknown':
      return WRONG_KIND_REFUSAL[kind];
    case 'protected':
      return 'FILE_PROTECTED';
    case 'no_picture':
      return 'FILE_NO_PICTURE';
    case 'no_sound':
      return 'FILE_NO_SOUND';
    case 'undecodable':
      return 'FILE_UNDECODABLE';
    case 'cut_short':
      return 'FILE_TRUNCATED';
    case 'damaged':
      return 'FILE_BROKEN';
    case 'too_long':
      return 'FILE_TOO_LONG';
    case 'too_large':
      return kind === 'video' ? 'FILE_VIDEO_TOO_BIG' : 'FILE_IMAGE_TOO_BIG';
    case 'locked':
      return 'FILE_PDF_LOCKED';
    case 'wallet_pass':
      return 'FILE_WALLET_PASS';
    case 'svg':
      return 'FILE_SVG';
    case 'killed':
    case 'memory':
    case 'stalled':
      return 'FILE_TOO_HARD';
  }
}
