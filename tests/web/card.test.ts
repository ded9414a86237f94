import { decodeQR } from 'qr/decode.js';
import sharp from 'sharp';
import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, test } from 'vitest';
import { DRESSES } from '../../src/domain/dresses.ts';
import { tokensTexts } from '../../src/texts/admin/tokens.ts';
import { qrPath } from '../../src/web/admin/components/qr-path.ts';
import {
  type CardWords,
  drawCard,
  type Line,
  type Mark,
  SHEET,
} from '../../src/web/admin/pages/tokens/card/drawing.ts';
import { fitted, type Measure } from '../../src/web/admin/pages/tokens/card/fitted.ts';
import { cardPdf } from '../../src/web/admin/pages/tokens/card/pdf.ts';
import { tokensOf } from '../support/dress-tokens.ts';

/** The card with the code: what is on it, where, and as a PDF. */

/** Every sign as wide as half its height. */
const measure: Measure = (text) => [...text].length / 2;
const site = new URL('https://sorpresa.example/');
const card = (words: Partial<CardWords> = {}): Mark[] =>
  drawCard({ name: 'Giulia', token: 'ROM-7KX2M9QD', site, qr: qrPath(site.href), ...words }, measure);
const linesOf = (marks: Mark[]): Line[] => marks.flatMap((mark) => (mark.kind === 'line' ? [mark] : []));
const saidOn = (marks: Mark[]) => linesOf(marks).map(({ text }) => text);

describe('the drawing', () => {
  test('has the title, her name, where to go and what to type, from top to bottom', () => {
    const lines = linesOf(card());
    expect(saidOn(card())).toEqual([
      'Una Sorpresa per Te',
      'per Giulia',
      'Inquadra qui, oppure vai su',
      'sorpresa.example',
      'e scrivi il tuo codice',
      'ROM 7KX2 M9QD',
      'È solo per te: tienilo al sicuro.',
    ]);
    const heights = lines.map(({ y }) => y);
    expect(heights).toEqual(heights.toSorted((a, b) => a - b));
  });

  test('names nobody where there is no name', () => {
    expect(saidOn(card({ name: null }))[1]).toBe('Inquadra qui, oppure vai su');
  });

  test.each<[string, Partial<CardWords>]>([
    ['a long name', { name: 'Maria Giovanna Elisabetta della Rovere di Castelfranco Veneto' }],
    ['a name in one word', { name: 'W'.repeat(60) }],
    ['a long address', { site: new URL(`https://${'molto-lungo.'.repeat(20)}example:30000/`) }],
    ['a code of another kind', { token: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789' }],
  ])('%s stays whole, on the sheet and apart from the rest', (_what, words) => {
    const qr = qrPath((words.site ?? site).href);
    const marks = card({ ...words, qr });
    const lines = linesOf(marks);
    for (const { text, size, spacing, y } of lines) {
      expect(
        (measure(text, { weight: 400, italic: false, spacing }) + spacing * ([...text].length - 1)) * size,
      ).toBeLessThan(88);
      expect(y).toBeLessThan(SHEET.height - 7);
    }
    const all = lines
      .map(({ says }) => says)
      .join('')
      .replaceAll(/\s/g, '');
    for (const said of [words.name, words.token, words.site?.host])
      expect(all).toContain((said ?? '').replaceAll(/\s/g, ''));
    const code = marks.findLast(
      (mark) => mark.kind === 'shape' && mark.fill === 'day-ink' && mark.opacity === undefined,
    );
    if (code?.kind !== 'shape') throw new Error('There is no QR code');
    const side = code.at.scale * qr.side;
    // A phone reads it from a hand's distance, and nothing is written over it.
    expect(side).toBeGreaterThan(20);
    const [above, under] = [lines.filter(({ y }) => y < code.at.y), lines.filter(({ y }) => y > code.at.y)];
    expect(above.length + under.length).toBe(lines.length);
    expect(Math.min(...under.map(({ y, size }) => y - size))).toBeGreaterThan(code.at.y + side);
  });

  test.each([...DRESSES.map((dress) => `dresses/${dress}.css`), 'dev/bosco.css'])(
    'has no colour but the tokens of the dress: %s has them all',
    (file) => {
      const inks = new Set(JSON.stringify(card()).match(/(?<=")(?:day|wax)(?:-[a-z]+)*(?=")/g));
      expect(inks.size).toBeGreaterThan(10);
      const tokens = tokensOf(file);
      for (const ink of inks) expect(tokens.get(ink), ink).toMatch(/^#[0-9a-f]{6}$/);
      expect(JSON.stringify(card())).not.toMatch(/#[0-9a-f]{3}|rgb|hsl/i);
    },
  );
});

test('a text gets smaller only where it has to', () => {
  const style = { weight: 400, italic: false, spacing: 0 };
  const fit = (text: string, most: number) => fitted(text, { style, size: 4, width: 20, most }, measure);
  expect(fit('breve', 1)).toEqual({ lines: ['breve'], size: 4 });
  expect(fit('due parole lunghe', 2)).toEqual({ lines: ['due parole', 'lunghe'], size: 4 });
  expect(fit('sorpresa.example', 2)).toEqual({ lines: ['sorpresa.', 'example'], size: 4 });
  const small = fit('due parole lunghe', 1);
  expect(small.lines).toEqual(['due parole lunghe']);
  expect(small.size).toBeLessThan(4);
});

test.each([site.href, 'http://192.168.1.20:3000/', 'WIFI:T:WPA;S:casa;P:segreta;;'])(
  'the QR code of %s is read',
  (value) => {
    const { d, side } = qrPath(value);
    const margin = 4;
    const whole = side + 2 * margin;
    const data = new Uint8Array(whole * whole * 4).fill(255);
    for (const [, x, y, run] of d.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g))
      for (let dark = 0; dark < Number(run); dark++)
        data.fill(
          0,
          ((Number(y) + margin) * whole + Number(x) + dark + margin) * 4,
          ((Number(y) + margin) * whole + Number(x) + dark + margin) * 4 + 3,
        );
    // Each square as large as a camera sees it.
    const scale = 6;
    const large = new Uint8Array(whole * whole * 4 * scale * scale);
    for (let y = 0; y < whole * scale; y++)
      for (let x = 0; x < whole * scale; x++) {
        const from = (Math.floor(y / scale) * whole + Math.floor(x / scale)) * 4;
        large.set(data.subarray(from, from + 4), (y * whole * scale + x) * 4);
      }
    expect(decodeQR({ width: whole * scale, height: whole * scale, data: large })).toBe(value);
  },
);

test('the PDF is one page of A6 with the picture on it and the words in it', async () => {
  const picture = await sharp({ create: { width: 210, height: 296, channels: 3, background: '#fbeee8' } })
    .jpeg()
    .toBuffer();
  const pdf = await getDocumentProxy(await cardPdf(card({ name: 'Zoë ❤️' }), picture));
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 25.4 / 72 });
  expect([Math.round(width), Math.round(height)]).toEqual([105, 148]);
  const { totalPages, text } = await extractText(pdf, { mergePages: true });
  expect(totalPages).toBe(1);
  for (const said of ['Una Sorpresa per Te', 'per Zoë', 'sorpresa.example', 'ROM-7KX2M9QD'])
    expect(text).toContain(said);
  const { info } = await pdf.getMetadata();
  expect(info).toMatchObject({ Title: 'Una Sorpresa per Te', Producer: 'Sorpresa' });
});

test('the message calls her by her name, or by none, and never shows its place', () => {
  const handed = { url: site.href, token: 'ROM-7KX2M9QD' };
  expect(tokensTexts.message({ ...handed, name: 'Giulia' })).toBe(
    'Giulia, ho preparato una sorpresa per te.\nApri https://sorpresa.example/ dal telefono e scrivi questo codice:\n\nROM-7KX2M9QD\n\nPrenditi mezz’ora tranquilla, con il volume alto.',
  );
  expect(tokensTexts.message({ ...handed, name: null })).toMatch(
    /^Ho preparato una sorpresa per te\.\nApri /,
  );
  expect(tokensTexts.card.said({ ...handed, name: null })).toMatch(/^Una Sorpresa per Te\. Un codice QR/);
});
