/** Part of a phrase, in order; `emphasized` if it was between asterisks. */
export type TextRun = { text: string; emphasized: boolean };

/** `*a word*` or `*a few words*` on one line, without other asterisks inside. */
const EMPHASIS = /\*(?=\S)([^*\n]*\S)\*/g;

/** Splits a phrase into runs. An asterisk without a partner stays in the text. */
export function emphasisRuns(phrase: string): TextRun[] {
  const runs: TextRun[] = [];
  let from = 0;
  for (const { 0: marked, 1: inside = '', index } of phrase.matchAll(EMPHASIS)) {
    runs.push({ text: phrase.slice(from, index), emphasized: false }, { text: inside, emphasized: true });
    from = index + marked.length;
  }
  runs.push({ text: phrase.slice(from), emphasized: false });
  return runs.filter(({ text }) => text !== '');
}

/** Hebrew, Arabic and related scripts. */
const LEFTWARDS = /[\u0590-\u08ff\ufb1d-\ufefc]/;

/** Returns true if part of the text is read from right to left. */
export const isReadLeftwards = (text: string): boolean => LEFTWARDS.test(text);

/** Returns the phrase without its emphasis asterisks, for reading aloud. */
export function withoutMarkers(phrase: string): string {
  return emphasisRuns(phrase)
    .map(({ text }) => text)
    .join('');
}
