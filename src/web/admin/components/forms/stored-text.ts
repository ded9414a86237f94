import { isBlank } from '../../../../domain/blank.ts';
/** Returns the text as stored: trimmed, or null if blank. */
export function storedText(typed: string): string | null {
  return isBlank(typed) ? null : typed.trim();
}
