/** Typographic style of a line; `spacing` is the space between two characters, relative to the font size. */
export type Style = { weight: number; italic: boolean; spacing: number };

/** Returns a text's width relative to the font size, without spacing. */
export type MeasureText = (text: string, style: Style) => number;

type Room = {
  style: Style;
  /** Preferred size. */
  size: number;
  width: number;
  /** Maximum number of lines. */
  most: number;
};

/** Factor by which each attempt is smaller. */
const SMALLER = 0.94;

/**
 * Fits a text into the allowed lines, in the preferred size or the largest that fits. Never omits text, because half an address
 * is useless.
 */
export function fitted(
  text: string,
  { style, size, width, most }: Room,
  measure: MeasureText,
): { lines: string[]; size: number } {
  const widthOf = (line: string) => measure(line, style) + style.spacing * Math.max(0, [...line].length - 1);
  const pieces = text.match(/[^\s.:/-]*[\s.:/-]*/gu)?.filter((piece) => piece !== '') ?? [];
  for (let attemptSize = size; ; attemptSize *= SMALLER) {
    const lines = linesOf(pieces, (line) => widthOf(line) * attemptSize <= width);
    if (lines.length <= most) return { lines, size: attemptSize };
  }
}

/** Breaks after spaces, dots, colons, slashes and hyphens, and inside a word that is too long. */
function linesOf(pieces: readonly string[], fits: (line: string) => boolean): string[] {
  const lines = [''];
  const put = (piece: string): void => {
    const line = `${lines.at(-1)}${piece}`;
    if (fits(line.trimEnd())) lines[lines.length - 1] = line;
    else if (lines.at(-1) === '') for (const sign of piece) putSign(sign);
    else {
      lines.push('');
      put(piece);
    }
  };
  const putSign = (sign: string): void => {
    const line = `${lines.at(-1)}${sign}`;
    if (lines.at(-1) === '' || fits(line)) lines[lines.length - 1] = line;
    else lines.push(sign);
  };
  for (const piece of pieces) put(piece);
  return lines.map((line) => line.trimEnd());
}
