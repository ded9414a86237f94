import { decodeQR } from 'qr/decode.js';
import sharp from 'sharp';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DRESSES } from '../../src/domain/configuration.ts';
import { tokensTexts } from '../../src/texts/admin/tokens.ts';
import { qrPath } from '../../src/web/admin/components/qr-path.ts';
import {
  type CardWords,
  drawCard,
  fitText,
  type Mark,
  type MeasureText,
  SHEET,
  type Shape,
  type TextLine,
} from '../../src/web/admin/pages/tokens/card/drawing.ts';
import { cardPdf } from '../../src/web/admin/pages/tokens/card/pdf.ts';
import { paintCard } from '../../src/web/admin/pages/tokens/card/picture.ts';
import { tokensOf } from '../support/dress-tokens.ts';

/** The card with the code: its layout, its picture and its PDF. */

/** Measures every character as half as wide as its height. */
const measure: MeasureText = (text) => [...text].length / 2;
const site = new URL('https://sorpresa.example/');
const WORDS: CardWords = {
  title: 'Una Sorpresa per Te',
  name: 'Giulia',
  token: 'ROM-7KX2M9QD',
  site,
  qr: qrPath(site.href),
};
const card = (words: Partial<CardWords> = {}): Mark[] => drawCard({ ...WORDS, ...words }, measure);
const shapesOf = (marks: Mark[]) => marks.flatMap((mark) => (mark.kind === 'shape' ? [mark] : []));
const linesOf = (marks: Mark[]) => marks.flatMap((mark) => (mark.kind === 'line' ? [mark] : []));
const textsOf = (marks: Mark[]) => linesOf(marks).map(({ text }) => text);

/** Returns the boxes of the rounded rectangles. Asserts that each path is closed. */
const boxesOf = (marks: Mark[]) =>
  shapesOf(marks).flatMap(({ d }) => {
    const [x, y, ...moves] = (d.match(/-?\d*\.?\d+(?:e-?\d+)?/g) ?? []).map(Number);
    if (!/^M[^a]+h[^a]+a/.test(d) || x === undefined || y === undefined) return [];
    const [across = 0, r = 0] = moves;
    const down = moves[8] ?? 0;
    const by = (name: string) => [...d.matchAll(new RegExp(`${name}(-?[\\d.]+(?:e-?\\d+)?)`, 'g'))];
    for (const name of ['h', 'v'])
      expect(by(name).reduce((sum, [, length]) => sum + Number(length), 0)).toBeCloseTo(0);
    return [{ left: x - r, top: y, right: x + across + r, bottom: y + down + 2 * r }];
  });
const codeOn = (marks: Mark[], { side }: CardWords['qr']) => {
  const code = shapesOf(marks).findLast(({ fill, opacity }) => fill === 'day-ink' && opacity === undefined);
  const { x, y, scale } = (code as Shape).at;
  return { left: x, top: y, side: scale * side };
};

describe('card drawing', () => {
  test('shows title, name, address and code from top to bottom', () => {
    const lines = linesOf(card());
    expect(textsOf(card())).toEqual([
      'Una Sorpresa per Te',
      'per Giulia',
      'Inquadra qui, oppure vai su',
      'sorpresa.example',
      'e scrivi il tuo codice',
      'ROM 7KX2 M9QD',
      'È solo per te: tienilo al sicuro.',
    ]);
    const heights = lines.map(({ y }) => y);
    expect([heights, heights.at(-1)]).toEqual([heights.toSorted((a, b) => a - b), 137.5]);
    expect(textsOf(card({ name: null }))[1]).toBe('Inquadra qui, oppure vai su');
    // The second line of a long name is one line height lower.
    const [, one, two] = linesOf(card({ name: 'Maria Giovanna Elisabetta della Rovere' }));
    expect((two?.y ?? 0) - (one?.y ?? 0)).toBeCloseTo((one?.size ?? 0) * 1.2);
  });

  test.each<[string, Partial<CardWords>]>([
    ['a long name', { name: 'Maria Giovanna Elisabetta della Rovere di Castelfranco Veneto' }],
    ['a name in one word', { name: 'W'.repeat(60) }],
    ['a long address', { site: new URL(`https://${'molto-lungo.'.repeat(20)}example:30000/`) }],
    [
      'a long title with a long name',
      {
        title: 'Una piccola cosa che ho pensato soltanto per te, amore mio!!',
        name: 'Maria Giovanna Elisabetta della Rovere',
      },
    ],
    ['a title in one word', { title: 'W'.repeat(60) }],
    ['a code of another kind', { token: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789' }],
  ])('fits %s on the sheet without overlap', (_what, words) => {
    const qr = qrPath((words.site ?? site).href);
    const marks = card({ ...words, qr });
    const lines = linesOf(marks);
    for (const { text, size, letterSpacing, y } of lines) {
      const wide =
        measure(text, { weight: 400, italic: false, letterSpacing: letterSpacing }) +
        letterSpacing * ([...text].length - 1);
      expect(wide * size).toBeLessThan(88);
      expect(y).toBeLessThan(SHEET.height - 7);
    }
    const bare = (text: string) => text.replaceAll(/\s/g, '');
    const all = bare(lines.map(({ spokenText }) => spokenText).join(''));
    for (const expected of [words.title, words.name, words.token, words.site?.host])
      expect(all).toContain(bare(expected ?? ''));
    const { top, side } = codeOn(marks, qr);
    // The QR code is large enough to scan at arm's length, and no line overlaps it.
    expect(side).toBeGreaterThan(20);
    const under = lines.filter(({ y }) => y > top);
    expect(Math.min(...under.map(({ y, size }) => y - size))).toBeGreaterThan(top + side);
  });

  test('has two nested border lines at equal distances from the edges', () => {
    const [outer, inner] = boxesOf(card());
    for (const { left, right, top, bottom } of [outer!, inner!]) {
      expect(left + right).toBeCloseTo(SHEET.width);
      expect(top + bottom).toBeCloseTo(SHEET.height);
      expect(left).toBeCloseTo(top);
    }
    expect(inner!.left - outer!.left).toBeCloseTo(1.3);
  });

  test.each(['Giulia', null])('centres the QR code on its own paper with a quiet zone: for %s', (name) => {
    const marks = card({ name });
    const [, , paper] = boxesOf(marks);
    const { left, top, side } = codeOn(marks, qrPath(site.href));
    // The QR code fills the available space, at most 36 mm.
    expect(side).toBeLessThanOrEqual(36);
    expect(side).toBeGreaterThan(24);
    expect(paper!.left + paper!.right).toBeCloseTo(SHEET.width);
    const rims = [
      left - paper!.left,
      top - paper!.top,
      paper!.right - left - side,
      paper!.bottom - top - side,
    ];
    for (const rim of rims) expect(rim).toBeCloseTo(3.6);
    const heights = linesOf(marks).map(({ y }) => y);
    const above = paper!.top - Math.max(...heights.filter((y) => y < paper!.top));
    const under = Math.min(...heights.filter((y) => y > paper!.bottom)) - paper!.bottom;
    // The spacing above and below is nearly equal.
    expect(Math.abs(above - under)).toBeLessThan(1.5);
    expect(Math.min(above, under)).toBeGreaterThanOrEqual(5);
  });

  test('draws the wax over everything, centred at the point of the flap, with its shadow below', () => {
    const shapes = shapesOf(card());
    const [shadow, ...wax] = shapes.slice(-4).map(({ at }) => at);
    for (const { x, y, scale } of wax)
      expect([x + 50 * scale, y]).toEqual([expect.closeTo(SHEET.width / 2), wax[0]?.y]);
    expect((shadow?.y ?? 0) - (wax[0]?.y ?? 0)).toBeCloseTo(0.8);
    const point = /Q52\.5 ([\d.]+)/.exec(shapes.find(({ fill }) => fill === 'day-card-edge')?.d ?? '')?.[1];
    expect(Math.abs((wax[0]?.y ?? 0) + 9.5 - Number(point))).toBeLessThan(4);
  });

  test.each([...DRESSES.map((dress) => `dresses/${dress}.css`), 'dev/bosco.css'])(
    'uses only colour tokens of the dress, all defined in %s',
    (file) => {
      const inks = new Set(JSON.stringify(card()).match(/(?<=")(?:day|wax)(?:-[a-z]+)*(?=")/g));
      expect(inks.size).toBeGreaterThan(10);
      const tokens = tokensOf(file);
      for (const ink of inks) expect(tokens.get(ink), ink).toMatch(/^#[0-9a-f]{6}$/);
      expect(JSON.stringify(card())).not.toMatch(/#[0-9a-f]{3}|rgb|hsl/i);
    },
  );
});

test('reduces the text size only if the text does not fit', () => {
  const style = { weight: 400, italic: false, letterSpacing: 0 };
  const fit = (text: string, most: number) =>
    fitText(text, { style, size: 4, width: 20, maxLines: most }, measure);
  expect(fit('breve', 1)).toEqual({ lines: ['breve'], size: 4 });
  expect(fit('due parole lunghe', 2)).toEqual({ lines: ['due parole', 'lunghe'], size: 4 });
  expect(fit('sorpresa.example', 2)).toEqual({ lines: ['sorpresa.', 'example'], size: 4 });
  const small = fit('due parole lunghe', 1);
  expect(small.lines).toEqual(['due parole lunghe']);
  expect(small.size).toBeLessThan(4);
});

test.each([site.href, 'http://192.168.1.20:3000/', 'WIFI:T:WPA;S:casa;P:segreta;;'])(
  'draws a QR code that decodes to %s',
  async (value) => {
    const { d, side } = qrPath(value);
    // Scaled to 6 pixels per module, as a camera sees it.
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 ${side + 8} ${side + 8}" width="${(side + 8) * 6}"><path d="${d}"/></svg>`;
    const { data, info } = await sharp(Buffer.from(svg))
      .flatten({ background: '#ffffff' })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(decodeQR({ width: info.width, height: info.height, data: new Uint8Array(data) })).toBe(value);
  },
);

describe('card picture', () => {
  type Stroke = [what: string, ...given: unknown[]];
  let strokes: Stroke[];
  let canvas: { width: number; height: number };
  let blob: Blob | null;
  let requested: unknown[];
  let pen: Record<string, unknown> | null;

  beforeEach(() => {
    [strokes, requested, blob] = [[], [], new Blob(['picture'])];
    const act =
      (what: string, ...state: string[]) =>
      (...args: unknown[]) =>
        void strokes.push([what, ...args, ...state.map((name) => pen?.[name])]);
    const stops: unknown[] = [];
    pen = {
      ...Object.fromEntries(['save', 'restore', 'scale', 'translate'].map((name) => [name, act(name)])),
      fill: act('fill', 'fillStyle', 'globalAlpha'),
      stroke: act('stroke', 'strokeStyle', 'lineWidth'),
      fillText: act('text', 'font', 'fillStyle', 'textAlign', 'letterSpacing'),
      createRadialGradient: (...at: number[]) => ({
        at,
        stops,
        addColorStop: (...stop: unknown[]) => stops.push(stop),
      }),
    };
    canvas = { width: 0, height: 0 };
    Object.assign(canvas, {
      getContext: () => pen,
      dataset: {},
      remove: () => {},
      toBlob: (done: (output: Blob | null) => void, ...how: unknown[]) => {
        requested = [canvas.width, canvas.height, ...how];
        done(blob);
      },
    });
    vi.stubGlobal('document', { createElement: () => canvas, body: { append: () => {} } });
    vi.stubGlobal('Path2D', function Path2D(this: { d: string }, d: string) {
      this.d = d;
    });
    vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: (name: string) => `the ${name}` }));
  });
  afterEach(() => vi.unstubAllGlobals());

  const SMALL = { width: 210, height: 296, type: 'image/png' } as const;
  const paint = (marks: Mark[], how?: Parameters<typeof paintCard>[2]) => paintCard(marks, 'notte', how);
  const LETTERS = { weight: 400, italic: false, letterSpacing: 0, size: 4, ink: 'day-ink' } as const;
  const LINE: TextLine = { kind: 'line', text: 'abc', spokenText: 'abc', y: 50, ...LETTERS };
  const line = (more: Partial<TextLine> = {}): TextLine => ({ ...LINE, ...more });

  test('has the requested size and type, and releases the canvas', async () => {
    expect(await paint([])).toBe(blob);
    expect(requested).toEqual([1_240, 1_748, 'image/png', 0.95]);
    await paint([], { width: 420, height: 592, type: 'image/jpeg' });
    expect(requested).toEqual([420, 592, 'image/jpeg', 0.95]);
    expect([canvas.width, canvas.height]).toEqual([0, 0]);
  });

  test('draws each shape at its place in the dress’s colours, and restores the context', async () => {
    const at = { x: 10, y: 20, scale: 0.5 };
    const stops = { 0: 'wax', 1: 'wax-deep' } as const;
    await paint(
      [
        { kind: 'shape', d: 'one', at, fill: 'day-ink', opacity: 0.3 },
        { kind: 'shape', d: 'two', at, line: { ink: 'wax-edge', width: 2 } },
        { kind: 'shape', d: 'three', at, fill: { x: 3, y: 4, radius: 5, stops } },
      ],
      SMALL,
    );
    const place = [['save'], ['scale', 2, 2], ['translate', 10, 20], ['scale', 0.5, 0.5]];
    const glow = {
      at: [3, 4, 0, 3, 4, 5],
      stops: [
        [0, 'the --wax'],
        [1, 'the --wax-deep'],
      ],
    };
    expect(strokes).toEqual([
      ...place,
      ['fill', { d: 'one' }, 'the --day-ink', 0.3],
      ['restore'],
      ...place,
      ['stroke', { d: 'two' }, 'the --wax-edge', 2],
      ['restore'],
      ...place,
      ['fill', { d: 'three' }, expect.objectContaining(glow), 1],
      ['restore'],
    ]);
  });

  test('draws each line centred in its font, also with letter spacing', async () => {
    await paint([line(), line({ italic: true, weight: 500 }), line({ letterSpacing: 0.5 })], SMALL);
    expect(strokes).toEqual([
      ['text', 'abc', 105, 100, '400 8px the --serif', 'the --day-ink', 'center', '0px'],
      ['text', 'abc', 105, 100, 'italic 500 8px the --serif', 'the --day-ink', 'center', '0px'],
      ['text', 'abc', 105, 100, '400 8px the --serif', 'the --day-ink', 'center', '4px'],
    ]);
  });

  test.each(['canvas', 'picture'])('rejects without a %s', async (missing) => {
    if (missing === 'canvas') pen = null;
    else blob = null;
    await expect(paint([line()])).rejects.toThrow();
  });
});

test('creates a one-page A6 PDF with the picture and searchable text', async () => {
  const picture = await sharp({ create: { width: 210, height: 296, channels: 3, background: '#fbeee8' } })
    .jpeg()
    .toBuffer();
  const pdf = await getDocumentProxy(
    await cardPdf({ title: 'Per Zoë', marks: card({ name: 'Zoë ❤️' }) }, picture),
  );
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 25.4 / 72 });
  const { totalPages, text } = await extractText(pdf, { mergePages: true });
  expect([Math.round(width), Math.round(height), totalPages]).toEqual([105, 148, 1]);
  for (const expected of ['Una Sorpresa per Te', 'per Zoë', 'sorpresa.example', 'ROM-7KX2M9QD'])
    expect(text).toContain(expected);
  const { info } = await pdf.getMetadata();
  expect(info).toMatchObject({ Title: 'Per Zoë', Producer: 'Sorpresa' });
});

describe('message with a code', () => {
  const handed = { own: null, name: 'Giulia', url: site.href, token: 'ROM-7KX2M9QD' };
  const message = (own: string, name: string | null = 'Giulia') =>
    tokensTexts.message({ ...handed, own, name });

  test('uses the recipient’s name, or none, but never a placeholder', () => {
    const usual =
      'Giulia, ho preparato una sorpresa per te.\nApri https://sorpresa.example/ dal telefono e scrivi questo codice:\n\nROM-7KX2M9QD\n\nPrenditi mezz’ora tranquilla, con il volume alto.';
    for (const own of [null, '', ' \n']) expect(tokensTexts.message({ ...handed, own })).toBe(usual);
    const none = { ...handed, name: null };
    expect(tokensTexts.message(none)).toMatch(/^Ho preparato una sorpresa per te\.\nApri /);
    const title = tokensTexts.card.title(null, null);
    expect(tokensTexts.card.description({ ...none, title })).toMatch(/^Una Sorpresa per Te\. Un codice QR/);
  });

  test.each<[string, lacks: string[], filled: string]>([
    ['{Nome}: {{ codice }} su { INDIRIZZO }', [], `Giulia: ROM-7KX2M9QD su ${site.href}`],
    ['Ciao! {codice}', ['{indirizzo}'], `Ciao! ROM-7KX2M9QD\n\n${site.href}`],
    ['Apri https://sorpresa.example', ['{codice}'], 'Apri https://sorpresa.example\n\nROM-7KX2M9QD'],
    ['Ciao!', ['{indirizzo}', '{codice}'], `Ciao!\n\n${site.href}\n\nROM-7KX2M9QD`],
  ])('is «%s» with what it lacks at its end', (own, lacks, filled) => {
    expect(tokensTexts.lackingPlaces({ ...handed, own })).toEqual(lacks);
    expect(message(own)).toBe(filled);
  });

  test.each<[own: string | null, name: string | null, title: string]>([
    [null, 'Giulia', 'Una Sorpresa per Te'],
    [' ', null, 'Una Sorpresa per Te'],
    ['{nome}, è per te', 'Giulia', 'Giulia, è per te'],
    ['{nome}, è per te', null, 'È per te'],
    ['{nome}', null, 'Una Sorpresa per Te'],
  ])('is on a card with the title «%s» for %s', (own, name, title) => {
    expect(tokensTexts.card.title(own, name)).toBe(title);
  });
});
