/** Invisible characters: Unicode's default-ignorable ones (zero-width, fillers, selectors), controls, and the blank of Braille. */
const UNSEEN = /[\p{DI}\p{C}\u2800]/gu;

export const withoutUnseen = (text: string): string => text.replace(UNSEEN, '');

/** Returns true if the text has no visible character. */
export const isBlank = (text: string | null | undefined): boolean => withoutUnseen(text ?? '').trim() === '';

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
