import { captionTime } from '../../../../../domain/captions.ts';

/** So long (seconds) a caption stands that begins now; who writes it says how long really. */
const STANDS = 3;

/**
 * The text with a line of times where the caret is, as the beginning of a caption of its own.
 * @param second of the film: when it begins
 * @returns with `caret`: where its words are to be written
 */
export function withTime(text: string, at: number, second: number): { text: string; caret: number } {
  const before = text.slice(0, at).trimEnd();
  const after = text.slice(at).trimStart();
  const begun = `${before}${before === '' ? '' : '\n\n'}${captionTime(second)} --> ${captionTime(second + STANDS)}\n`;
  return { text: after === '' ? begun : `${begun}\n\n${after}`, caret: begun.length };
}
