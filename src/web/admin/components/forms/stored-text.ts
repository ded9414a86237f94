import { isBlank } from '../../../../domain/blank.ts';
/** A field of text as it is stored: without the spaces around it, null where nothing was written. */
export function storedText(typed: string): string | null {
  return isBlank(typed) ? null : typed.trim();
}
