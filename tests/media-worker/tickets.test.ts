import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { PDFDocument } from '@cantoo/pdf-lib';
import fc from 'fast-check';
import sharp from 'sharp';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { TICKET_PAGES } from '../../src/domain/media.ts';
import type { TicketPart } from '../../src/server/media-worker/door.ts';
import { ffmpeg } from '../support/ffmpeg.ts';
import * as pdfs from '../support/hostile-files.ts';
import { withWorker } from '../support/media-work.ts';
import { changedLater, filledPdf, layeredPdf, made, namelessPdf } from '../support/ticket-pdfs.ts';

const carryOut = withWorker();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickets-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let written = 0;
async function file(bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, String((written += 1)));
  await writeFile(path, bytes);
  return path;
}
const check = async (bytes: Uint8Array | string) => carryOut({ task: 'tickets', path: await file(bytes) });
const good = (pages: number) => ({ tickets: { pages, kept: true, joins: true } });
const LOCK = { userPassword: 'aperto', ownerPassword: 'segreto' };
const paper = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#fff' } });

describe('PDF that opens', () => {
  test('is used unchanged, byte for byte', async () => {
    const bytes = await made({ pages: 3 });
    const path = await file(bytes);
    expect(await carryOut({ task: 'tickets', path })).toEqual(good(3));
    expect((await readFile(path)).equals(bytes)).toBe(true);
  });

  test('may have faults that readers tolerate, a later change, or an owner password', async () => {
    const bytes = await made({ objectStreams: false });
    const text = bytes.toString('latin1');
    const locked = (algorithm: 'AES-256' | 'AES-128' | 'RC4-128') =>
      made({ lock: { ownerPassword: 'segreto', algorithm, allowWeakCryptography: true } });
    const misplaced = Buffer.from(text.replace(/startxref\s+\d+/, 'startxref\n7'), 'latin1');
    const forgiven: [string, Buffer, pages: number][] = [
      ['words of a printer before it', Buffer.concat([Buffer.from('\x1b%-12345X@PJL\r\n'), bytes]), 2],
      ['zeros behind it', Buffer.concat([bytes, Buffer.alloc(3_000)]), 2],
      ['no mark at its end', Buffer.from(text.replace(/%%EOF\s*$/, ''), 'latin1'), 2],
      ['a wrong place of its table', misplaced, 2],
      ['a script', pdfs.scriptedPdf(), 1],
      ['a change', await changedLater(), 3],
      ['AES-256', await locked('AES-256'), 2],
      ['RC4-128', await locked('RC4-128'), 2],
    ];
    for (const [name, each, pages] of forgiven)
      expect(await check(each), name).toMatchObject({ tickets: { pages } });
  });
});

describe('PDF that does not open', () => {
  test.each([
    ['plain', () => made({ objectStreams: false })],
    ['packed', () => made()],
    ['encrypted', () => made({ lock: { ownerPassword: 'segreto' } })],
  ])('is refused at any truncation (%s)', { timeout: 60_000 }, async (_name, make) => {
    const bytes = await make();
    // Only the end mark follows.
    const last = bytes
      .toString('latin1')
      .trimEnd()
      .search(/\s*%%EOF$/);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length }), async (length) => {
        const result = await check(bytes.subarray(0, length));
        if (length >= last) expect(result).toEqual(good(2));
        else if (length >= 5) expect(result).toEqual({ refused: 'cut_short' });
        else expect(result).toEqual({ refused: length === 0 ? 'empty' : 'unknown' });
      }),
      { numRuns: 10, examples: [[0], [4], [5], [last - 2], [last - 1], [last], [bytes.length]] },
    );
  });

  test('is refused with a reason', async () => {
    const half = '<< /Linearized 1 /L 9999 /H [500 40] /O 4 /E 400 /N 1 /T 9000 >>';
    const onTheWeb = pdfs
      .pdf([half, '<< >>'])
      .toString('latin1')
      .replace(/startxref\n\d+/, 'startxref\n0');
    const noPages = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>'];
    const rows: [string, string, Uint8Array | string][] = [
      ['locked', 'a password', await made({ lock: LOCK })],
      ['locked', 'a password that nobody tells', pdfs.lockedPdf()],
      ['cut_short', 'the half that comes first on the web', onTheWeb],
      ['damaged', 'no pages', pdfs.pdf(noPages)],
      ['damaged', 'nothing but a head and an end', '%PDF-1.7\n%%EOF'],
      ['damaged', 'pages that are their own parents', pdfs.endlessPdf()],
    ];
    for (const [refused, name, bytes] of rows) expect(await check(bytes), name).toEqual({ refused });
  });

  test('is reported as a wallet pass, or as unknown if it is another kind of file', async () => {
    const zipOf = (...names: string[]) => {
      const zip = new ZipFile();
      for (const name of names) zip.addBuffer(Buffer.from('{}'), name);
      zip.end();
      return buffer(zip.outputStream);
    };
    const png = await readFile(join(import.meta.dirname, '../fixtures/ticket.png'));
    const page = `<!doctype html>${(await made()).toString('latin1')}`;
    const rows: [string, string, Uint8Array | string][] = [
      ['wallet_pass', 'a pass', await zipOf('icon.png', 'it.lproj/pass.strings', 'pass.json')],
      ['wallet_pass', 'several passes', await zipOf('andata.pkpass', 'ritorno.pkpass')],
      ['unknown', 'another ZIP', await zipOf('notes/pass.json', 'ticket.pdf')],
      ['unknown', 'a picture with a PDF in it', Buffer.concat([png.subarray(0, 200), await made()])],
      ['unknown', 'words', 'Ciao, amore.'],
      ['unknown', 'a page with a PDF in it', page],
    ];
    for (const [refused, name, bytes] of rows) expect(await check(bytes), name).toEqual({ refused });
  });
});

describe('pages of tickets', () => {
  let own: string;
  beforeEach(async () => {
    own = await mkdtemp(join(folder, 'pages-'));
  });
  afterEach(() => rm(own, { recursive: true }));
  const draw = async (bytes: Buffer) => carryOut({ task: 'pages', path: await file(bytes), folder: own });

  test('are drawn at three times a phone’s width and at a small size, in separate files', async () => {
    expect(await draw(await made({ pages: 2 }))).toEqual({ pages: [null, null] });
    const names = ['page-1', 'page-1-small', 'page-2', 'page-2-small'];
    expect((await readdir(own)).toSorted()).toEqual(names);
    for (const [name, width, height] of [
      ['page-2', 1_170, 1_950],
      ['page-2-small', 360, 600],
    ] as const)
      expect(await sharp(join(own, name)).metadata()).toMatchObject({ format: 'webp', width, height });
  });

  test('are limited to the number that a viewer scrolls through', async () => {
    const tickets = await PDFDocument.create();
    for (let page = 0; page < TICKET_PAGES.max + 2; page += 1) tickets.addPage([300, 20]);
    expect(await draw(Buffer.from(await tickets.save()))).toEqual({
      pages: Array(TICKET_PAGES.max).fill(null),
    });
  });

  test('show a scan in JPEG 2000, which phones can’t draw', async () => {
    const scan = join(folder, 'scan.jp2');
    await ffmpeg('-f', 'lavfi', '-i', 'color=c=0xc02040:s=64x64,format=rgb24', '-frames:v', '1', scan);
    expect(await draw(pdfs.scannedPdf(await readFile(scan), 'JPXDecode'))).toEqual({ pages: [null] });
    const page = sharp(join(own, 'page-1'));
    const { width, height } = await page.metadata();
    const at = { left: Math.round(width / 2), top: Math.round(0.4 * height), width: 1, height: 1 };
    const colour = [...(await page.extract(at).raw().toBuffer())];
    const off = [0xc0, 0x20, 0x40].map((value, channel) => Math.abs(value - (colour[channel] ?? 999)));
    expect(Math.max(...off)).toBeLessThan(12);
  });

  test.each([
    ['nothing to say about a form that was filled in', null, filledPdf()],
    ['nothing to say about a standard font', null, pdfs.unembeddedPdf('Helvetica-Bold', '/Subtype /Type1')],
    ['`font` for one that isn’t embedded', 'font', pdfs.unembeddedPdf('Verdana')],
    ['`blank` for letters that aren’t drawn', 'blank', pdfs.japanesePdf()],
    [
      '`image` for a picture that can’t be decoded',
      'image',
      pdfs.scannedPdf(Buffer.alloc(900, 7), 'JPXDecode'),
    ],
    ['`image` for a cut fax', 'image', pdfs.scannedPdf(Buffer.alloc(40, 7), 'JBIG2Decode')],
  ])('have %s', async (_name, finding, bytes) => {
    expect(await draw(bytes)).toEqual({ pages: [finding] });
  });

  test('are refused if the file requires a password', async () => {
    expect(await draw(pdfs.lockedPdf())).toEqual({ refused: 'locked' });
  });
});

describe('joined PDFs and photos', () => {
  const joined = () => join(folder, 'biglietti.pdf');
  const part = async (kind: TicketPart['kind'], bytes: Uint8Array | string) => ({
    path: await file(bytes),
    kind,
  });
  const joinParts = (...parts: TicketPart[]) => carryOut({ task: 'join', parts, output: joined() });
  const STANDING = [595, 842, ''];
  const LYING = [842, 595, ''];

  /** Returns width, height and text of every page. */
  async function pages(): Promise<[number, number, string][]> {
    const pdf = await getDocumentProxy(new Uint8Array(await readFile(joined())));
    const { text } = await extractText(pdf);
    const all = text.map(async (words, i): Promise<[number, number, string]> => {
      const { width, height } = (await pdf.getPage(i + 1)).getViewport({ scale: 1 });
      return [Math.round(width), Math.round(height), words];
    });
    return Promise.all(all);
  }

  test('become one PDF with all pages in order and unchanged', async () => {
    const photo = await paper(60, 30).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const result = await joinParts(
      await part('pdf', await made({ seat: 'Andata' })),
      await part('jpg', photo),
      await part('png', await paper(80, 40).png().toBuffer()),
      await part('pdf', await made({ seat: 'Ritorno', pages: 1, lock: { ownerPassword: 'segreto' } })),
    );
    expect(result).toEqual({ tickets: { pages: 5, kept: false, joins: true } });
    const going = [
      [300, 500, 'Andata 1'],
      [300, 500, 'Andata 2'],
    ];
    expect(await pages()).toEqual([...going, STANDING, LYING, [300, 500, 'Ritorno 1']]);
    const bytes = (await readFile(joined())).toString('latin1');
    // The photo was turned upright; both pictures are stored as JPEGs.
    expect(bytes).toMatch(/\/Width 30\b[^>]*\/Height 60\b/);
    expect(bytes.match(/\/DCTDecode/g)).toHaveLength(2);
  });

  test('give the same bytes each time; an upright photo is stored unchanged', async () => {
    const photo = await paper(30, 60).jpeg().toBuffer();
    expect(await joinParts(await part('jpg', photo))).toMatchObject({ tickets: { pages: 1 } });
    expect(await pages()).toEqual([STANDING]);
    const first = await readFile(joined());
    expect(first.includes(photo)).toBe(true);
    await joinParts(await part('jpg', photo));
    expect((await readFile(joined())).equals(first)).toBe(true);
  });

  test('keep the size and rotation that a page inherits', async () => {
    const turned = pdfs.pdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 200 700] /Rotate 90 >>',
      '<< /Type /Page /Parent 2 0 R >>',
    ]);
    await joinParts(await part('pdf', turned), await part('pdf', await made({ pages: 1 })));
    expect(await pages()).toEqual([
      [700, 200, ''],
      [300, 500, 'Posto 1'],
    ]);
  });

  test('are not written if one of them can’t be used', async () => {
    await rm(joined(), { force: true });
    const first = await part('pdf', await made());
    const cut = (await paper(60, 30).jpeg().toBuffer()).subarray(0, 40);
    const others: [string, TicketPart][] = [
      ['locked', await part('pdf', await made({ lock: LOCK }))],
      ['damaged', await part('pdf', pdfs.circularPdf())],
      ['damaged', await part('jpg', cut)],
      ['unknown', await part('png', await made())],
      ['empty', await part('pdf', '')],
    ];
    for (const [refused, other] of others)
      expect(await joinParts(first, other), refused).toEqual({ refused });
    expect(existsSync(joined())).toBe(false);
  });

  test.each([
    ['that is encrypted in a way of its own', 'locked', namelessPdf],
    ['whose form would be empty', 'damaged', filledPdf],
    ['whose hidden layer would be shown', 'damaged', layeredPdf],
  ] as const)('exclude a PDF %s, which is reported as not joinable', async (_name, refused, make) => {
    const alone = await part('pdf', await make());
    const result = await carryOut({ task: 'tickets', path: alone.path });
    expect(result).toMatchObject({ tickets: { kept: true, joins: false } });
    expect(await joinParts(alone, await part('pdf', await made()))).toEqual({ refused });
  });

  test('are not refused for an error of the disk', async () => {
    const parts = [await part('pdf', await made())];
    const nowhere = { task: 'join', parts, output: join(folder, 'missing', 'biglietti.pdf') } as const;
    await expect(carryOut(nowhere)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
