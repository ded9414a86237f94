import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TICKET_PAGES } from '../../src/domain/ticket-pages.ts';
import { createMediaWorker, type MediaWorker, type Outcome } from '../../src/server/media-worker/worker.ts';
import { ffmpeg } from '../support/ffmpeg.ts';
import { japanesePdf, lockedPdf, pdf, scannedPdf, unembeddedPdf } from '../support/hostile-pdfs.ts';
import { filledPdf, made } from '../support/ticket-pdfs.ts';

let folder: string;
let worker: MediaWorker;
beforeAll(() => {
  worker = createMediaWorker({ log: pino({ level: 'silent' }) });
});
afterAll(() => worker.close());

/** Draws a PDF; leaves its pages in `folder`. */
async function draw(bytes: Buffer): Promise<Outcome> {
  folder = await mkdtemp(join(tmpdir(), 'drawn-'));
  const path = join(folder, 'biglietti.pdf');
  await writeFile(path, bytes);
  return worker.do(
    { what: 'pages', path, folder },
    { signal: new AbortController().signal, progress: () => undefined },
  );
}

/** Red, green and blue at a place of a page, as shares of its width and height. */
async function colourAt(page: number, x: number, y: number): Promise<number[]> {
  const picture = sharp(join(folder, `page-${page}`));
  const { width, height } = await picture.metadata();
  const at = { left: Math.round(x * width), top: Math.round(y * height), width: 1, height: 1 };
  return [...(await picture.extract(at).raw().toBuffer())];
}

describe('the pages of tickets', () => {
  test('are drawn at three times a phone’s width and small, each in a file of its own', async () => {
    expect(await draw(await made({ pages: 2 }))).toEqual({ pages: [null, null] });
    expect((await readdir(folder)).toSorted()).toEqual([
      'biglietti.pdf',
      'page-1',
      'page-1-small',
      'page-2',
      'page-2-small',
    ]);
    const sizes = [`page-2`, `page-2-small`].map(async (name) => {
      const { format, width, height } = await sharp(await readFile(join(folder, name))).metadata();
      return [format, width, height];
    });
    expect(await Promise.all(sizes)).toEqual([
      ['webp', 1_170, 1_950],
      ['webp', 360, 600],
    ]);
    await rm(folder, { recursive: true });
  });

  test('are as many as a viewer scrolls through', async () => {
    const tickets = await PDFDocument.create();
    for (let page = 0; page < TICKET_PAGES.max + 2; page += 1) tickets.addPage([300, 20]);
    const outcome = await draw(Buffer.from(await tickets.save()));
    expect(outcome).toEqual({ pages: Array(TICKET_PAGES.max).fill(null) });
    await rm(folder, { recursive: true });
  });

  test('show a scan in JPEG 2000, which phones can’t draw', async () => {
    const scan = join(tmpdir(), `scan-${process.pid}.jp2`);
    const source = 'color=c=0xc02040:s=64x64,format=rgb24';
    await ffmpeg('-f', 'lavfi', '-i', source, '-frames:v', '1', scan);
    expect(await draw(scannedPdf(await readFile(scan), 'JPXDecode'))).toEqual({ pages: [null] });
    const [red = 0, green = 0, blue = 0] = await colourAt(1, 0.5, 0.4);
    expect(
      [Math.abs(red - 0xc0), Math.abs(green - 0x20), Math.abs(blue - 0x40)].every((off) => off < 12),
    ).toBe(true);
    await Promise.all([rm(folder, { recursive: true }), rm(scan)]);
  });

  test.each([
    ['nothing to say about a form that was filled in', null, filledPdf()],
    ['nothing to say about an empty page', null, pdf()],
    ['nothing to say about a standard font', null, unembeddedPdf('Helvetica-Bold', '/Subtype /Type1')],
    ['nothing to say about a standard font by its other name', null, unembeddedPdf('ArialMT')],
    ['`font` for one that isn’t embedded', 'font', unembeddedPdf('Verdana')],
    ['`blank` for letters that aren’t drawn', 'blank', japanesePdf()],
    ['`image` for a picture that can’t be decoded', 'image', scannedPdf(Buffer.alloc(900, 7), 'JPXDecode')],
    ['`image` for a cut fax', 'image', scannedPdf(Buffer.alloc(40, 7), 'JBIG2Decode')],
  ])('have %s', async (_name, finding, bytes) => {
    expect(await draw(bytes)).toEqual({ pages: [finding] });
    await rm(folder, { recursive: true });
  });

  test('are none of a file that asks for a password', async () => {
    expect(await draw(lockedPdf())).toEqual({ refused: 'locked' });
    await rm(folder, { recursive: true });
  });
});
