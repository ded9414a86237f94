import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { createMediaWorker, type MediaWorker } from '../../src/server/media-worker/worker.ts';
import * as hostile from '../support/hostile-pdfs.ts';
import { changedLater, made } from '../support/ticket-pdfs.ts';

let folder: string;
let worker: MediaWorker;
const quiet = () => ({ signal: new AbortController().signal, progress: () => undefined });
const newWorker = (stalledMs?: number) =>
  createMediaWorker({ log: pino({ level: 'silent' }), ...(stalledMs === undefined ? {} : { stalledMs }) });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tickets-'));
  worker = newWorker();
});
afterAll(async () => {
  await worker.close();
  await rm(folder, { recursive: true, force: true });
});

let written = 0;
async function file(bytes: Uint8Array | string): Promise<string> {
  const path = join(folder, String((written += 1)));
  await writeFile(path, bytes);
  return path;
}
const check = async (bytes: Uint8Array | string, by = worker) =>
  by.do({ what: 'tickets', path: await file(bytes) }, quiet());

const good = (pages: number) => ({ tickets: { pages, kept: true, joins: true } });

describe('a PDF that she can open', () => {
  test('stays as it is, byte for byte', async () => {
    const bytes = await made({ pages: 3 });
    const path = await file(bytes);
    expect(await worker.do({ what: 'tickets', path }, quiet())).toEqual(good(3));
    expect((await readFile(path)).equals(bytes)).toBe(true);
  });

  test('is good with what readers forgive', async () => {
    const bytes = await made({ objectStreams: false });
    const text = bytes.toString('latin1');
    const forgiven: [string, Buffer][] = [
      ['words of a printer before it', Buffer.concat([Buffer.from('\x1b%-12345X@PJL\r\n'), bytes])],
      ['zeros behind it', Buffer.concat([bytes, Buffer.alloc(3_000)])],
      ['no mark at its end', Buffer.from(text.replace(/%%EOF\s*$/, ''), 'latin1')],
      ['a wrong place of its table', Buffer.from(text.replace(/startxref\s+\d+/, 'startxref\n7'), 'latin1')],
      ['line ends of another system', Buffer.concat([bytes, Buffer.from('\r\n\r\n')])],
      ['a script', hostile.scriptedPdf()],
    ];
    for (const [name, each] of forgiven) expect(await check(each), name).toHaveProperty('tickets');
  });

  test('is good with a change written behind its end', async () => {
    expect(await check(await changedLater())).toEqual(good(3));
  });

  test.each(['AES-256', 'AES-128', 'RC4-128'] as const)(
    'is good when only changing it needs a password (%s)',
    async (algorithm) => {
      const lock = { ownerPassword: 'segreto', algorithm, allowWeakCryptography: true };
      expect(await check(await made({ lock }))).toEqual(good(2));
    },
  );
});

describe('a PDF that she can’t open', () => {
  test('is refused for the password it asks for', async () => {
    const lock = { userPassword: 'aperto', ownerPassword: 'segreto' };
    expect(await check(await made({ lock }))).toEqual({ refused: 'locked' });
    expect(await check(hostile.lockedPdf())).toEqual({ refused: 'locked' });
  });

  test.each([
    ['plain', () => made({ objectStreams: false })],
    ['packed', () => made()],
    ['encrypted', () => made({ lock: { ownerPassword: 'segreto' } })],
  ])('is refused wherever it is cut (%s)', { timeout: 60_000 }, async (_name, make) => {
    const bytes = await make();
    /** Behind it there is only the mark of the end. */
    const last = bytes
      .toString('latin1')
      .trimEnd()
      .search(/\s*%%EOF$/);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length }), async (length) => {
        const outcome = await check(bytes.subarray(0, length));
        if (length >= last) expect(outcome).toEqual(good(2));
        else if (length >= 5) expect(outcome).toEqual({ refused: 'cut_short' });
        else expect(outcome).toEqual({ refused: length === 0 ? 'empty' : 'unknown' });
      }),
      { numRuns: 60, examples: [[0], [4], [5], [last - 3], [last - 2], [last - 1], [last], [bytes.length]] },
    );
  });

  test('is refused when what was changed later is cut', async () => {
    const bytes = await changedLater();
    const first = bytes.indexOf('%%EOF') + 5;
    for (let length = first + 40; length < bytes.lastIndexOf('%%EOF') - 1; length += 97)
      expect(await check(bytes.subarray(0, length)), String(length)).toEqual({ refused: 'cut_short' });
  });

  test('is refused when only the half is there that comes first on the web', async () => {
    const half = '<< /Linearized 1 /L 9999 /H [500 40] /O 4 /E 400 /N 1 /T 9000 >>';
    const bytes = hostile.pdf([half, '<< >>']).toString('latin1');
    expect(await check(bytes.replace(/startxref\n\d+/, 'startxref\n0'))).toEqual({ refused: 'cut_short' });
  });

  test.each([
    [
      'has no pages',
      hostile.pdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>']),
    ],
    ['has nothing but a head and an end', Buffer.from('%PDF-1.7\n%%EOF')],
    ['has pages that are their own parents', hostile.endlessPdf()],
    ['has pages that hold each other', hostile.circularPdf()],
  ])('is refused when it %s', async (_name, bytes) => {
    expect(await check(bytes)).toEqual({ refused: 'damaged' });
  });
});

describe('what is no PDF', () => {
  const zipOf = (...names: string[]) => {
    const zip = new ZipFile();
    for (const name of names) zip.addBuffer(Buffer.from('{}'), name);
    zip.end();
    return buffer(zip.outputStream);
  };

  test('is called a wallet’s pass, or several', async () => {
    expect(await check(await zipOf('icon.png', 'it.lproj/pass.strings', 'pass.json'))).toEqual({
      refused: 'wallet_pass',
    });
    expect(await check(await zipOf('andata.pkpass', 'ritorno.pkpass'))).toEqual({ refused: 'wallet_pass' });
  });

  test('is unknown', async () => {
    const png = await readFile(join(import.meta.dirname, '../fixtures/ticket.png'));
    const others: [string, Uint8Array | string][] = [
      ['another ZIP', await zipOf('notes/pass.json', 'ticket.pdf')],
      ['a picture', png],
      ['a picture with a PDF in it', Buffer.concat([png.subarray(0, 200), await made()])],
      ['words', 'Ciao, amore.'],
      ['a page', `<!doctype html><p>%PDF-1.7</p>`],
      ['a page with a PDF in it', `<!doctype html>${(await made()).toString('latin1')}`],
    ];
    for (const [name, bytes] of others) expect(await check(bytes), name).toEqual({ refused: 'unknown' });
  });
});

describe('a PDF that holds more than it seems', () => {
  const MB = 1024 ** 2;

  test.each([
    ['drawn with 250 parts of 60 MB each', 'memory', () => hostile.drawnPdf(60 * MB, 250)],
    ['whose form draws itself three times over, 40 deep', 'stalled', () => hostile.nestedPdf(40)],
    ['kept in 250 parts of 60 MB each', 'stalled', () => hostile.unfoldingPdf(60 * MB, '/ObjStm', 250)],
  ] as const)('ends in the worker: %s', { timeout: 60_000 }, async (_name, problem, make) => {
    const own = newWorker(problem === 'stalled' ? 3_000 : undefined);
    try {
      expect(await check(make(), own)).toEqual({ refused: problem });
      expect(await check(await made(), worker)).toEqual(good(2));
    } finally {
      await own.close();
    }
  });
});
