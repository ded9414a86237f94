/** What nobody sees: Unicode's default-ignorable signs (zero-width, fillers, selectors), controls, and the blank of Braille. */
const UNSEEN = /[\p{DI}\p{C}\u2800]/gu;

export const withoutUnseen = (text: string): string => text.replace(UNSEEN, '');

/** Nothing that can be seen stands in it. */
export const isBlank = (text: string | null | undefined): boolean => withoutUnseen(text ?? '').trim() === '';

/** What is read as one sign each: joined emoji and letters with their accents. */
export const signsOf = (text: string): string[] =>
  Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);

/** Without control characters but those that hold an emoji together. @param instead what stands in the place of each run of them */
export function withoutControls(text: string, instead = ''): string {
  const signs = signsOf(text).map((sign) =>
    /\p{Extended_Pictographic}/u.test(sign) ? sign : sign.replace(/\p{C}/gu, '\0'),
  );
  return signs.join('').replace(/\0+/g, instead);
}
