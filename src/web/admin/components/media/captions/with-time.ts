import { captionTime } from '../../../../../domain/captions.ts';

/** Default duration of a new caption in seconds; the administrator corrects it. */
const DEFAULT_SECONDS = 3;

/**
 * Inserts a line of times at the caret, as the beginning of a separate caption.
 * @param second start of the caption in the film, in seconds
 * @returns `caret`: position for the caption's text
 */
export function withTime(text: string, at: number, second: number): { text: string; caret: number } {
  const before = text.slice(0, at).trimEnd();
  const after = text.slice(at).trimStart();
  const begun = `${before}${before === '' ? '' : '\n\n'}${captionTime(second)} --> ${captionTime(second + DEFAULT_SECONDS)}\n`;
  return { text: after === '' ? begun : `${begun}\n\n${after}`, caret: begun.length };
}
