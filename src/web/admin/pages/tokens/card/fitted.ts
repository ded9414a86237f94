/** Typographic style of a line; `letterSpacing` is the space between two characters, relative to the font size. */
export type TextStyle = { weight: number; italic: boolean; letterSpacing: number };

/** Returns a text's width relative to the font size, without letter spacing. */
export type MeasureText = (text: string, style: TextStyle) => number;

type TextBox = {
  style: TextStyle;
  /** Preferred font size, in the unit of `width`. */
  size: number;
  width: number;
  /** Maximum number of lines. */
  maxLines: number;
};

/** Factor by which each attempt is smaller. */
const SHRINK_FACTOR = 0.94;

/**
 * Breaks a text into at most `maxLines` lines (1 or more), in the preferred size or in steps of 6 % smaller. Never omits text, because
 * the card may show the site's address. A word longer than a line is broken before the text shrinks.
 */
export function fitText(
  text: string,
  { style, size, width, maxLines }: TextBox,
  measure: MeasureText,
): { lines: string[]; size: number } {
  const widthOf = (line: string) =>
    measure(line, style) + style.letterSpacing * Math.max(0, [...line].length - 1);
  const pieces = text.match(/[^\s.:/-]*[\s.:/-]*/gu)?.filter((piece) => piece !== '') ?? [];
  for (let attemptSize = size; ; attemptSize *= SHRINK_FACTOR) {
    const lines = linesOf(pieces, (line) => widthOf(line) * attemptSize <= width);
    if (lines.length <= maxLines) return { lines, size: attemptSize };
  }
}

/** Breaks after spaces, dots, colons, slashes and hyphens, and inside a word that is too long. */
function linesOf(pieces: readonly string[], fits: (line: string) => boolean): string[] {
  const lines = [''];
  const append = (piece: string): void => {
    const line = `${lines.at(-1)}${piece}`;
    if (fits(line.trimEnd())) lines[lines.length - 1] = line;
    else if (lines.at(-1) === '') for (const character of piece) appendCharacter(character);
    else {
      lines.push('');
      append(piece);
    }
  };
  const appendCharacter = (character: string): void => {
    const line = `${lines.at(-1)}${character}`;
    if (lines.at(-1) === '' || fits(line)) lines[lines.length - 1] = line;
    else lines.push(character);
  };
  for (const piece of pieces) append(piece);
  return lines.map((line) => line.trimEnd());
}
