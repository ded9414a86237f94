import type { FileProblem } from '../door.ts';
import { HeifError } from './heif/library.ts';

const CUT_SHORT =
  /premature|truncated|unexpected end|end of (file|stream|data)|end.of.data|read error|bad seek|not enough data|insufficient data/i;
/** Warnings about files of some cameras that every reader opens. */
const ODDITY = /extraneous bytes before marker|invalid sos parameters/i;
const NOT_READ =
  /unsupported image format|unsupported (codec|feature)|has not been built in|not implemented/i;
const TOOK_TOO_LONG = /^timeout:/;
const NO_MEMORY = /allocation failed|out of memory|\(OOM\)/i;

const messageOf = (error: unknown) => (error instanceof Error ? error.message : '');
const isCutShort = (error: unknown) => CUT_SHORT.test(messageOf(error));
export const isHarmlessWarning = (error: unknown) => ODDITY.test(messageOf(error)) && !isCutShort(error);

/** Maps a reader's error to the problem of the picture. */
export function toFileProblem(error: unknown): FileProblem {
  if (TOOK_TOO_LONG.test(messageOf(error))) return 'stalled';
  if (NO_MEMORY.test(messageOf(error))) return 'memory';
  if (isCutShort(error)) return 'cut_short';
  if (error instanceof HeifError) return error.isUnknown ? 'undecodable' : 'damaged';
  return NOT_READ.test(messageOf(error)) ? 'undecodable' : 'damaged';
}
