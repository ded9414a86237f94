import { tokensTexts } from '../../../../../texts/admin/tokens.ts';

/**
 * The card as a list of marks, from bottom to top. All measures are millimetres on an A6 sheet. Every colour is a token of the
 * dress. Screen, paper, picture and PDF use these marks, so that all look alike and a new dress needs no change here.
 */
export const SHEET = { width: 105, height: 148 } as const;

/** Name of a dress token, without «--». */
export type Ink =
  | 'day-background'
  | 'day-ink'
  | 'day-ink-soft'
  | 'day-card'
  | 'day-card-edge'
  | 'day-hairline'
  | `wax${'' | '-light' | '-deep' | '-edge' | '-rim' | '-rim-edge' | '-heart'}`;

/** A radial gradient in the shape's coordinates; stops from the centre (0) outwards (1). */
export type Glow = {
  x: number;
  y: number;
  radius: number;
  stops: Record<number, Ink>;
};

export type Shape = {
  kind: 'shape';
  d: string;
  /** Position of the shape's origin, and millimetres per unit. */
  at: { x: number; y: number; scale: number };
} & Look;

type Look = { fill?: Ink | Glow; line?: { ink: Ink; width: number }; opacity?: number };

/** A line of text, centred on the sheet, with its baseline at y. */
export type TextLine = TextStyle & {
  kind: 'line';
  text: string;
  /** Text for the PDF's text layer, if it differs from the drawn one. */
  spokenText: string;
  y: number;
  size: number;
  ink: Ink;
};

export type Mark = Shape | TextLine;

export type CardWords = {
  title: string;
  /** Recipient's name; null for a card without a name, or with the name in its title. */
  name: string | null;
  token: string;
  site: URL;
  /** QR code of the site: a path of 1 × 1 squares, `side` per row. */
  qr: { d: string; side: number };
};

const texts = tokensTexts.card;
/** Centre of the sheet and of every line. */
export const MIDDLE = SHEET.width / 2;
/** Maximum width of a line. */
const WIDTH = 87;
const TITLE = {
  style: { weight: 420, italic: false, letterSpacing: 0 },
  size: 8.6,
  width: WIDTH,
  maxLines: 1,
};
/** A title that would have to be smaller than this in one line gets two, below the seal. */
const LONG_TITLE = { size: 6.4, maxLines: 2, y: 46.6 };

/** Lays out the card. @param measure returns a text's width relative to the font size */
export function drawCard({ title, name, token, site, qr }: CardWords, measure: MeasureText): Mark[] {
  const isLong = fitText(title, TITLE, measure).size < LONG_TITLE.size;
  const column = columnFrom(isLong ? LONG_TITLE.y : 51.5, measure);
  const { size, maxLines } = isLong ? LONG_TITLE : TITLE;
  column.write(title, { size, most: maxLines, weight: TITLE.style.weight, ink: 'day-ink' });
  if (name !== null)
    column.write(`${texts.to} ${name}`, { ...SMALL, size: 5.8, ink: 'day-ink', before: 8, most: 2 });
  const below = columnFrom(0, measure);
  below.write(`${texts.scan}, ${texts.orGo}`, { ...SMALL, before: 0 });
  below.write(site.host, { size: 5, weight: 500, ink: 'day-ink', before: 6.4, most: 2 });
  below.write(texts.type, { ...SMALL, before: 6.6 });
  const code = { size: 8.3, weight: 480, letterSpacing: 0.05, spokenText: token } as const;
  below.write(codeGroups(token).join(' '), { ...code, ink: 'day-ink', before: 9 });
  below.write(texts.footer, { size: 3.2, weight: 400, ink: 'day-ink-soft', before: 7 });
  const top = FOOTER_AT - below.end();
  return [
    ...paper(),
    ...column.marks,
    ...square(qr, column.end() + 5, top - 6),
    ...below.marks.map(lowered(top)),
    ...seal(),
  ];
}

/** Baseline of the lowest line. */
const FOOTER_AT = 137.5;
const SMALL = { size: 3.7, weight: 400, ink: 'day-ink-soft', italic: true } as const;

const lowered =
  (by: number) =>
  (mark: TextLine): TextLine => ({ ...mark, y: mark.y + by });

type LineStyle = Partial<TextStyle> & {
  size: number;
  weight: number;
  ink: Ink;
  /** Distance from the line above. */
  before?: number;
  /** Maximum number of lines. */
  most?: number;
  spokenText?: string;
};

/** Stacks lines of text. @param y baseline of the first line */
function columnFrom(y: number, measure: MeasureText) {
  const marks: TextLine[] = [];
  let at = y;
  return {
    marks,
    /** Returns the last baseline. */
    end: () => at,
    write(
      text: string,
      { size, ink, before = 0, most = 1, spokenText, weight, italic = false, letterSpacing = 0 }: LineStyle,
    ): void {
      const style = { weight, italic, letterSpacing };
      const { lines, size: fits } = fitText(text, { style, size, width: WIDTH, maxLines: most }, measure);
      at += before;
      lines.forEach((line, index) => {
        if (index > 0) at += fits * 1.2;
        const mark = { text: line, spokenText: spokenText ?? line, y: at, size: fits, ink };
        marks.push({ kind: 'line', ...mark, ...style });
      });
    },
  };
}

const shape = (d: string, look: Look, at = { x: 0, y: 0, scale: 1 }): Shape => ({
  kind: 'shape',
  d,
  at,
  ...look,
});
/** Returns the path of a rectangle with round corners. */
const rounded = (x: number, y: number, width: number, height: number, r: number) =>
  `M${x + r} ${y}h${width - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${height - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}h${2 * r - width}a${r} ${r} 0 0 1 ${-r} ${-r}v${2 * r - height}a${r} ${r} 0 0 1 ${r} ${-r}z`;

/** The front of an envelope: paper with a soft light, two fine lines around it, and the flap. */
function paper(): Mark[] {
  const stops = { 0: 'day-card', 0.45: 'day-card', 1: 'day-background' } as const;
  const light: Glow = { x: MIDDLE, y: 74, radius: 96, stops };
  const flap = 'M0 0H105L56.6 30.6Q52.5 33.2 48.4 30.6Z';
  return [
    shape(`M0 0H${SHEET.width}V${SHEET.height}H0z`, { fill: light }),
    shape(rounded(5, 5, 95, 138, 2.5), { line: { ink: 'day-hairline', width: 0.35 } }),
    shape(rounded(6.3, 6.3, 92.4, 135.4, 1.6), { line: { ink: 'day-hairline', width: 0.15 } }),
    shape(flap, { fill: 'day-ink', opacity: 0.07 }, { x: 0, y: 0.9, scale: 1 }),
    shape(flap, { fill: 'day-card-edge', line: { ink: 'day-hairline', width: 0.25 } }),
  ];
}

/** The QR code on a separate piece of paper, as large as the space allows. */
function square({ d, side }: CardWords['qr'], from: number, to: number): Mark[] {
  const margin = 3.6;
  const size = Math.min(36, to - from - 2 * margin);
  const outerSize = size + 2 * margin;
  const y = from + (to - from - outerSize) / 2;
  const paper = rounded(MIDDLE - outerSize / 2, y, outerSize, outerSize, 2.2);
  return [
    shape(paper, { fill: 'day-card', line: { ink: 'day-card-edge', width: 0.3 } }),
    shape(d, { fill: 'day-ink' }, { x: MIDDLE - size / 2, y: y + margin, scale: size / side }),
  ];
}

/** The letter's wax seal (visitor/access/seal.tsx), at the point of the flap. */
function seal(): Mark[] {
  const wax =
    'M50 3c8 0 11 5 18 7s14 1 19 7 4 13 7 19 6 9 5 17-7 11-9 17-1 14-8 19-13 3-19 5-9 5-17 4-11-6-17-8-14 0-19-7-3-13-5-19-6-9-4-17 7-10 8-17 1-14 7-18 12-3 17-5 9-4 17-4Z';
  const ring = 'M17 50a33 33 0 1 0 66 0a33 33 0 1 0-66 0z';
  const heart = 'M50 68C39 60 33 53.5 33 46a9 9 0 0 1 17-4.2A9 9 0 0 1 67 46c0 7.5-6 14-17 22Z';
  const scale = 0.19;
  const at = { x: MIDDLE - 50 * scale, y: 20.5, scale };
  const stops = { 0: 'wax-light', 0.5: 'wax', 1: 'wax-deep' } as const;
  const lit: Glow = { x: 36, y: 28, radius: 85, stops };
  return [
    shape(wax, { fill: 'day-ink', opacity: 0.14 }, { ...at, y: at.y + 0.8 }),
    shape(wax, { fill: lit, line: { ink: 'wax-edge', width: 1.5 } }, at),
    shape(ring, { fill: 'wax-rim', line: { ink: 'wax-rim-edge', width: 1.6 } }, at),
    shape(heart, { fill: 'wax-heart', line: { ink: 'wax-deep', width: 1.2 } }, at),
  ];
}

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

/** Characters per group of a code, few enough to copy from paper to a screen. */
const GROUP = 4;

/** Splits a code into groups: `ROM-7KX2M9QD` becomes `ROM`, `7KX2`, `M9QD`. A code typed with spaces is valid. */
export function codeGroups(token: string): string[] {
  return token.split('-').flatMap((part) => part.match(new RegExp(`.{1,${GROUP}}`, 'gu')) ?? []);
}
