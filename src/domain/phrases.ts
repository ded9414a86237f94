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

/**
 * Breaks one line of a phrase by sense: takes measured words and returns those that begin a line. Works for any language; the conjunctions
 * are Italian and English.
 */

type MeasuredWord = { text: string; width: number };

const CONJUNCTIONS = new Set(
  'e ed o od ma però che chi perché poiché se quando come dove mentre poi finché né anche and or but that because if when where while then'.split(
    ' ',
  ),
);

/** Costs of a line that ends after a word. For comparison, a line that leaves half its room empty costs 25. */
const COST = { bound: 70, sentence: -14, clause: -10, conjunction: -5, alone: 75, line: 6 };

const lettersOf = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Returns the cost of a break between two words. */
function breakCost(word: string, next: string): number {
  if (/[.!?…]["”»’)]*$/u.test(word)) return COST.sentence;
  if (/[,;:–—]["”»’)]*$/u.test(word)) return COST.clause;
  if (lettersOf(word).length <= 3) return COST.bound;
  return CONJUNCTIONS.has(lettersOf(next).toLowerCase()) ? COST.conjunction : 0;
}

/**
 * Returns the indices of the words that begin a line, except the first. Lines have about equal lengths, a short word stays with the next
 * one, and a line preferably ends with a clause. The last line isn't a single word, unless that word is a sentence.
 * @param words words of one typed line; widths include the space after them, in the unit of `room`
 */
export function lineBreaks(words: readonly MeasuredWord[], room: number): number[] {
  const total = words.reduce((sum, { width }) => sum + width, 0);
  // Covers an unmeasured room (NaN) too.
  if (!(total > room)) return [];
  const aim = total / Math.ceil(total / room);
  /** For each number of words, the lowest cost of setting them and the start of their last line. */
  const best: { cost: number; from: number }[] = [{ cost: 0, from: 0 }];
  for (let end = 1; end <= words.length; end += 1) {
    let [cheapest, width] = [{ cost: Infinity, from: end - 1 }, 0];
    for (let from = end - 1; from >= 0; from -= 1) {
      width += words[from]?.width ?? 0;
      if (width > room && from < end - 1) break;
      const cost = (best[from]?.cost ?? 0) + lineCost(words, from, end, width, { aim, room });
      if (cost < cheapest.cost) cheapest = { cost, from };
    }
    best.push(cheapest);
  }
  const breaks: number[] = [];
  for (let at = words.length; at > 0; at = best[at]?.from ?? 0) breaks.unshift(best[at]?.from ?? 0);
  return breaks.filter((at) => at > 0);
}

function lineCost(
  words: readonly MeasuredWord[],
  from: number,
  end: number,
  width: number,
  { aim, room }: { aim: number; room: number },
): number {
  const uneven = COST.line + 100 * ((aim - width) / room) ** 2;
  const [last, next, before] = [words[end - 1], words[end], words[from - 1]];
  if (next !== undefined) return uneven + breakCost(last?.text ?? '', next.text);
  const isPoint = before !== undefined && breakCost(before.text, '') === COST.sentence;
  return uneven + (end - from === 1 && !isPoint ? COST.alone : 0);
}

/**
 * Letters that the handwriting font of the letter contains (scripts/assets.mjs subsets it to these): Italian ones, and those common in
 * Europe.
 */
export const HANDWRITING_LETTERS =
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz' +
  'àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿßœăąćčďđęěğıłńňőřśşšťůűźżžșț' +
  'ÀÁÂÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÖØÙÚÛÜÝŒĆČĐĎİŁŚŞŠŹŻŽȘ' +
  " ,.…!'’-";

/**
 * Returns true if the handwriting font has every letter of the name. Otherwise the whole name is set in the serif, because one foreign
 * letter would look like a mistake.
 */
export function canHandwrite(name: string): boolean {
  return [...name.normalize('NFC')].every((sign) => HANDWRITING_LETTERS.includes(sign));
}
