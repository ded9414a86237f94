import { type FileRefusal, WRONG_KIND_REFUSAL } from '../../../contract/admin/media.ts';
import type { MediaKind } from '../../../domain/media.ts';
import { isDiskFull } from '../../db/errors.ts';
import { isServiceUnavailable } from '../../http/failures.ts';
import type { FileProblem } from '../../media-worker/worker.ts';
import { type Refusal, refuse } from '../../refused.ts';
import { FileMissing } from '../../storage/storage.ts';

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

/** Converts an error of work on stored files to a refusal. Throws unexpected errors. */
export function errorToRefusal(error: unknown): Refusal<'NOT_FOUND' | 'STORAGE_FULL' | 'UNAVAILABLE'> {
  if (error instanceof FileMissing) return refuse('NOT_FOUND');
  if (isDiskFull(error)) return refuse('STORAGE_FULL');
  if (isServiceUnavailable(error) || (error instanceof Error && error.name === 'TimeoutError'))
    return refuse('UNAVAILABLE');
  throw error;
}
