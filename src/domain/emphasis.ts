/** Part of a phrase, in its order; `golden` where it stood between asterisks. */
export type TextRun = { text: string; emphasized: boolean };

/** `*a word*` or `*a few words*` on one line, with nothing but words between the asterisks. */
const GOLDEN = /\*(?=\S)([^*\n]*\S)\*/g;

/** A phrase as its runs. An asterisk that has no other stays what was typed. */
export function emphasisRuns(phrase: string): TextRun[] {
  const runs: TextRun[] = [];
  let from = 0;
  for (const { 0: whole, 1: inside = '', index } of phrase.matchAll(GOLDEN)) {
    runs.push({ text: phrase.slice(from, index), emphasized: false }, { text: inside, emphasized: true });
    from = index + whole.length;
  }
  runs.push({ text: phrase.slice(from), emphasized: false });
  return runs.filter(({ text }) => text !== '');
}

/** Hebrew, Arabic and their kin. */
const LEFTWARDS = /[\u0590-\u08ff\ufb1d-\ufefc]/;

/** True if some of it is read from right to left. */
export const isReadLeftwards = (text: string): boolean => LEFTWARDS.test(text);

/** The phrase as it is spoken: without the asterisks that make a word golden. */
export function withoutMarkers(phrase: string): string {
  return emphasisRuns(phrase)
    .map(({ text }) => text)
    .join('');
}
