/** A field of text as it is stored: without the spaces around it, null where nothing was written. */
export function storedText(typed: string): string | null {
  const text = typed.trim();
  return text === '' ? null : text;
}
