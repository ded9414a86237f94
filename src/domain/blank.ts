/** Invisible characters: Unicode's default-ignorable ones (zero-width, fillers, selectors), controls, and the blank of Braille. */
const INVISIBLE = /[\p{DI}\p{C}\u2800]/gu;

export const removeInvisible = (text: string): string => text.replace(INVISIBLE, '');

/** Returns true if the text has no visible character. */
export const isBlank = (text: string | null | undefined): boolean =>
  removeInvisible(text ?? '').trim() === '';

/** Returns the graphemes of a text: joined emoji and letters with their accents are one each. */
export const signsOf = (text: string): string[] =>
  Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);

/** Removes control characters, except those that join an emoji. @param instead replacement for each run of them */
export function withoutControls(text: string, instead = ''): string {
  const signs = signsOf(text).map((sign) =>
    /\p{Extended_Pictographic}/u.test(sign) ? sign : sign.replace(/\p{C}/gu, '\0'),
  );
  return signs.join('').replace(/\0+/g, instead);
}
