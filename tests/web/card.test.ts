import { decodeQR } from 'qr/decode.js';
import sharp from 'sharp';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterEach, describe, expect, test, vi } from 'vitest';
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

test.each([site.href, 'WIFI:T:WPA;S:casa;P:segreta;;'])(
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
  const blob = new Blob(['picture']);
  function stubCanvas({ pen = {} as object | null, picture = blob as Blob | null } = {}) {
    const requested: unknown[] = [];
    const canvas = {
      width: 0,
      height: 0,
      getContext: () => pen,
      dataset: {},
      remove: () => {},
      toBlob: (done: (output: Blob | null) => void, ...how: unknown[]) => {
        requested.push(canvas.width, canvas.height, ...how);
        done(picture);
      },
    };
    vi.stubGlobal('document', { createElement: () => canvas, body: { append: () => {} } });
    vi.stubGlobal('getComputedStyle', () => ({}));
    return { canvas, requested };
  }
  afterEach(() => vi.unstubAllGlobals());

  test('has the requested size and type, and releases the canvas', async () => {
    const { canvas, requested } = stubCanvas();
    expect(await paintCard([], 'notte', { width: 420, height: 592, type: 'image/jpeg' })).toBe(blob);
    expect(requested).toEqual([420, 592, 'image/jpeg', 0.95]);
    expect([canvas.width, canvas.height]).toEqual([0, 0]);
  });

  test.each([{ pen: null }, { picture: null }])('rejects with %j', async (missing) => {
    stubCanvas(missing);
    await expect(paintCard([], 'notte')).rejects.toThrow();
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
    ['{nome}, è per te', 'Giulia', 'Giulia, è per te'],
    ['{nome}, è per te', null, 'È per te'],
    ['{nome}', null, 'Una Sorpresa per Te'],
  ])('is on a card with the title «%s» for %s', (own, name, title) => {
    expect(tokensTexts.card.title(own, name)).toBe(title);
  });
});
