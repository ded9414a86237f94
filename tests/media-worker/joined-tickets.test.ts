import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import sharp from 'sharp';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TicketPart } from '../../src/server/media-worker/door.ts';
import { createMediaWorker, type MediaWorker } from '../../src/server/media-worker/worker.ts';
import * as hostile from '../support/hostile-pdfs.ts';
import { filledPdf, layeredPdf, made, namelessPdf } from '../support/ticket-pdfs.ts';

let folder: string;
let worker: MediaWorker;
const quiet = () => ({ signal: new AbortController().signal, progress: () => undefined });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'joined-'));
  worker = createMediaWorker({ log: pino({ level: 'silent' }) });
});
afterAll(async () => {
  await worker.close();
  await rm(folder, { recursive: true, force: true });
});

let written = 0;
async function part(kind: TicketPart['kind'], bytes: Uint8Array | string): Promise<TicketPart> {
  const path = join(folder, String((written += 1)));
  await writeFile(path, bytes);
  return { path, kind };
}
const joined = () => join(folder, 'biglietti.pdf');
const joinParts = (...parts: TicketPart[]) => worker.do({ what: 'join', parts, made: joined() }, quiet());

/** Width, height and words of every page. */
async function pagesOf(path: string): Promise<[number, number, string][]> {
  const pdf = await getDocumentProxy(new Uint8Array(await readFile(path)));
  const { text } = await extractText(pdf);
  const pages = text.map(async (words, i): Promise<[number, number, string]> => {
    const { width, height } = (await pdf.getPage(i + 1)).getViewport({ scale: 1 });
    return [Math.round(width), Math.round(height), words];
  });
  return Promise.all(pages);
}

const paper = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#fff' } });
const STANDING = [595, 842, ''];
const LYING = [842, 595, ''];

test('PDFs and photos become one PDF, page after page, each as it was', async () => {
  const lock = { ownerPassword: 'segreto' };
  const photo = await paper(60, 30).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const outcome = await joinParts(
    await part('pdf', await made({ seat: 'Andata' })),
    await part('jpg', photo),
    await part('png', await paper(80, 40).png().toBuffer()),
    await part('pdf', await made({ seat: 'Ritorno', pages: 1, lock })),
  );
  expect(outcome).toEqual({ tickets: { pages: 5, kept: false, joins: true } });
  expect(await pagesOf(joined())).toEqual([
    [300, 500, 'Andata 1'],
    [300, 500, 'Andata 2'],
    STANDING,
    LYING,
    [300, 500, 'Ritorno 1'],
  ]);
  const bytes = (await readFile(joined())).toString('latin1');
  // The photo was turned upright; both are packed as JPEGs.
  expect(bytes).toMatch(/\/Width 30\b[^>]*\/Height 60\b/);
  expect(bytes.match(/\/DCTDecode/g)).toHaveLength(2);
});

test('a photo alone becomes a PDF, and a photo that lies straight stays what it is', async () => {
  const photo = await paper(30, 60).jpeg().toBuffer();
  expect(await joinParts(await part('jpg', photo))).toMatchObject({ tickets: { pages: 1 } });
  expect(await pagesOf(joined())).toEqual([STANDING]);
  const first = await readFile(joined());
  expect(first.includes(photo)).toBe(true);
  // Another process over the same files makes the very same.
  await joinParts(await part('jpg', photo));
  expect((await readFile(joined())).equals(first)).toBe(true);
});

test('pages keep the size and the turn that they have from what holds them', async () => {
  const turned = hostile.pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 200 700] /Rotate 90 >>',
    '<< /Type /Page /Parent 2 0 R >>',
  ]);
  await joinParts(await part('pdf', turned), await part('pdf', await made({ pages: 1 })));
  expect(await pagesOf(joined())).toEqual([
    [700, 200, ''],
    [300, 500, 'Posto 1'],
  ]);
});

test('nothing is made when one of them can’t be used', async () => {
  await rm(joined(), { force: true });
  const first = await part('pdf', await made());
  const lock = { userPassword: 'aperto', ownerPassword: 'segreto' };
  const cut = (await paper(60, 30).jpeg().toBuffer()).subarray(0, 40);
  const others: [string, TicketPart][] = [
    ['locked', await part('pdf', await made({ lock }))],
    ['damaged', await part('pdf', hostile.circularPdf())],
    ['damaged', await part('jpg', cut)],
    ['unknown', await part('png', await made())],
    ['empty', await part('pdf', '')],
  ];
  for (const [refused, other] of others) expect(await joinParts(first, other), refused).toEqual({ refused });
  expect(existsSync(joined())).toBe(false);
});

test.each([
  ['that is encrypted in a way of its own', 'locked', namelessPdf],
  ['whose form would be empty', 'damaged', filledPdf],
  ['whose hidden layer would be shown', 'damaged', layeredPdf],
] as const)('a PDF %s can only be alone, and says so', async (_name, refused, make) => {
  const alone = await part('pdf', await make());
  expect(await worker.do({ what: 'tickets', path: alone.path }, quiet())).toMatchObject({
    tickets: { kept: true, joins: false },
  });
  expect(await joinParts(alone, await part('pdf', await made()))).toEqual({ refused });
});

test('a disk that can’t be written to is none of the files’ doing', async () => {
  const parts = [await part('pdf', await made())];
  const nowhere = { what: 'join', parts, made: join(folder, 'missing', 'biglietti.pdf') } as const;
  await expect(worker.do(nowhere, quiet())).rejects.toMatchObject({ code: 'ENOENT' });
});
