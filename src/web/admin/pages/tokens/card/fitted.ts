/** How a line is set; `spacing` is what stands between two signs, in the font's size. */
export type Style = { weight: number; italic: boolean; spacing: number };

/** How wide a text is, in the font's size, without spacing. */
export type MeasureText = (text: string, style: Style) => number;

type Room = {
  style: Style;
  /** The size that is wanted. */
  size: number;
  width: number;
  /** So many lines at most. */
  most: number;
};

/** Each try is so much smaller. */
const SMALLER = 0.94;

/**
 * A text in as few lines as it takes, in the size that is wanted or, where it doesn't fit, in the largest that does: nothing is ever left out,
 * since half an address leads nowhere.
 */
export function fitted(
  text: string,
  { style, size, width, most }: Room,
  measure: MeasureText,
): { lines: string[]; size: number } {
  const widthOf = (line: string) => measure(line, style) + style.spacing * Math.max(0, [...line].length - 1);
  const pieces = text.match(/[^\s.:/-]*[\s.:/-]*/gu)?.filter((piece) => piece !== '') ?? [];
  for (let tried = size; ; tried *= SMALLER) {
    const lines = linesOf(pieces, (line) => widthOf(line) * tried <= width);
    if (lines.length <= most) return { lines, size: tried };
  }
}

/** Breaks after spaces, points and strokes, and within a word where the word alone is too long. */
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
