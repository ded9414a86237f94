import type * as Tus from 'tus-js-client';
import type { HttpResponse, UploadOptions } from 'tus-js-client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ProcessingUpload } from '../../src/contract/admin/media.ts';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { MEDIA_SLOTS, type SlotName } from '../../src/domain/media.ts';
import { savedTexts } from '../../src/texts/admin/media.ts';
import { errorSentences } from '../../src/texts/errors.ts';
import { endedSince } from '../../src/web/admin/components/media/arrivals/watch.ts';
import { decoded, withTime } from '../../src/web/admin/components/media/captions/captions-text.tsx';
import { fileProblem } from '../../src/web/admin/components/media/choose/check-file.ts';
import { stopReasonFor } from '../../src/web/admin/components/media/uploads/stops.ts';
import { ApiError } from '../../src/web/api/failure.ts';

/** Chosen files: local checks, stop reasons and captions. */

const file = (name: string, type: string, size = 10) =>
  Object.defineProperty(new File([new Uint8Array(1)], name, { type }), 'size', { value: size });
const problem = (slot: SlotName, one: File, most: number = MEDIA_SLOTS[slot].maxBytes) =>
  fileProblem(one, slot, most);

describe('file check', () => {
  test.each<[SlotName, string]>([
    // Some systems report no type; Linux takes .ts for a Qt translation file and .MTS for a 3D model.
    [
      'video',
      'film.mp4 video/mp4, IMG_1.MOV video/quicktime, film.MP4, film.webm video/webm, FILM.MKV, film.ts text/vnd.trolltech.linguist, 00001.MTS model/vnd.mts, film, film.xyz application/octet-stream',
    ],
    ['immagine', 'mare.jpg image/jpeg, IMG_2.HEIC, mare.webp image/webp'],
    ['biglietti', 'foto.heic image/heic, volo.pdf application/pdf'],
    // A film is accepted for its sound.
    ['canzone', 'canzone.mp3 audio/mpeg, canzone.ogg audio/ogg, film.mp4 video/mp4, memo.amr, canzone'],
  ])('accepts for %s: %s', (slot, files) => {
    for (const [name = '', type = ''] of files.split(', ').map((each) => each.split(' ')))
      expect(problem(slot, file(name, type)), name).toBeNull();
  });

  test.each<[SlotName, string, string, ErrorCode]>([
    ['video', 'mare.jpg', 'image/jpeg', 'FILE_NOT_VIDEO'],
    ['video', 'canzone.mp3', 'audio/mpeg', 'FILE_NO_PICTURE'],
    ['immagine', 'logo.svg', 'image/svg+xml', 'FILE_SVG'],
    ['immagine', 'volo.pdf', 'application/pdf', 'FILE_NOT_IMAGE'],
    ['biglietti', 'volo.docx', 'application/msword', 'FILE_NOT_TICKETS'],
    ['biglietti', 'volo.pkpass', '', 'FILE_WALLET_PASS'],
    ['canzone', 'testo.txt', 'text/plain', 'FILE_NOT_AUDIO'],
  ])('refuses for %s: %s (%s)', (slot, name, type, code) => {
    expect(problem(slot, file(name, type))).toBe(errorSentences[code]);
  });

  test('refuses empty and too large files, with the installation’s limit for films', () => {
    expect(problem('immagine', file('mare.jpg', 'image/jpeg', 0))).toBe(errorSentences.FILE_EMPTY);
    expect(problem('immagine', file('mare.jpg', 'image/jpeg', 25 * 1024 ** 2))).toBe(
      'Il file è troppo grande: è di 25 MB e può essere al massimo di 20 MB. Riducila: sul telefono basta uno screenshot, su un computer un programma di foto.',
    );
    const huge = file('film.mp4', 'video/mp4', 5 * 1024 ** 3);
    expect(problem('video', huge, 5 * 1024 ** 3)).toBeNull();
    expect(problem('video', huge, 5 * 1024 ** 3 - 1)).toMatch(
      /^Il file è troppo grande: è di 5 GB .* Accorcialo/,
    );
  });
});

describe('upload stop reason', () => {
  const film = file('film.mp4', 'video/mp4');
  const answer = (status: number, body: string) =>
    ({ getStatus: () => status, getBody: () => body, getHeader: () => undefined }) as unknown as HttpResponse;
  const refusal = (codice: ErrorCode, status: number) =>
    answer(status, JSON.stringify({ codice, messaggio: errorSentences[codice] }));
  const signedOut = new ApiError('SIGN_IN_REQUIRED', errorSentences.SIGN_IN_REQUIRED);
  const missing = Object.assign(file('film.mp4', 'video/mp4'), {
    slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')) }),
  });
  const failed = (codice: ErrorCode) => ({
    kind: 'failed',
    failure: { codice, messaggio: errorSentences[codice] },
  });

  test.each<[string, HttpResponse | null, object]>([
    ['for a while without an answer', null, { kind: 'wait' }],
    ['for a while by a busy proxy', answer(503, '<h1>'), { kind: 'wait' }],
    ['for a while at a busy server', refusal('UNAVAILABLE', 503), { kind: 'wait' }],
    [
      'for good where the file isn’t wanted',
      refusal('FILE_TOO_LARGE', 413),
      { kind: 'refused', messaggio: errorSentences.FILE_TOO_LARGE },
    ],
    ['until it is tried by hand', refusal('STORAGE_FULL', 500), failed('STORAGE_FULL')],
    [
      'at an answer nobody can read',
      answer(500, '<h1>Oops</h1>'),
      { kind: 'failed', failure: { messaggio: "Errore durante l'upload" } },
    ],
  ])('stops %s', async (_when, response, stop) => {
    expect(await stopReasonFor(response, new Error('network'), film)).toMatchObject(stop);
  });

  test('stops at a proxy’s 413 only after pieces of 256 kB are refused, with a message that names the limit', async () => {
    const tus = await vi.importActual<typeof Tus>('tus-js-client');
    const pieces: number[] = [];
    class Upload {
      url = null;
      options: UploadOptions;
      constructor(_file: File, options: UploadOptions) {
        this.options = options;
      }
      findPreviousUploads = async () => [];
      start() {
        pieces.push(this.options.chunkSize ?? 0);
        const originalResponse = answer(413, '<h1>');
        const refused = Object.assign(new tus.DetailedError(''), { originalResponse });
        if (pieces.length < 20) this.options.onError?.(refused);
      }
    }
    vi.resetModules();
    vi.doMock('tus-js-client', () => ({ ...tus, Upload }));
    vi.stubGlobal('location', { origin: 'http://localhost' });
    onTestFinished(() => {
      vi.doUnmock('tus-js-client');
      vi.unstubAllGlobals();
    });
    const { createSending } = await import('../../src/web/admin/components/media/uploads/sending.ts');
    const send = () =>
      new Promise((onStop) => {
        const ignored = { onAddress: vi.fn(), onProgress: vi.fn(), onTaken: vi.fn(), onSent: vi.fn() };
        void createSending(film, 'video', { ...ignored, onStop }).go();
      });
    expect(await send()).toMatchObject({ kind: 'failed', failure: { messaggio: savedTexts.proxyLimit } });
    const MB = 1024 ** 2;
    expect(pieces).toEqual([5 * MB, 2.5 * MB, 1.25 * MB, 0.625 * MB, 0.3125 * MB, 0.25 * MB]);
    // The next file starts with the known piece size.
    await send();
    expect(pieces.slice(6)).toEqual([0.25 * MB]);
  });

  test('stops if the phone removed the file, or the sign-in was declined', async () => {
    expect(await stopReasonFor(null, new Error('network'), missing)).toEqual({ kind: 'file-lost' });
    expect(await stopReasonFor(null, signedOut, film)).toEqual({ kind: 'failed', failure: signedOut });
  });
});

describe('captions', () => {
  const TEXT = '1\r\n00:00:01,000 --> 00:00:02,000\r\nPerché è così: «però»';
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');
  const read = (bytes: Buffer) => decoded(Uint8Array.from(bytes).buffer);

  test('decodes UTF-8, UTF-16 and Latin-1', () => {
    const marked = `\u{feff}${TEXT}`;
    const [plain, wide, latin] = [Buffer.from(TEXT), utf16(TEXT), Buffer.from(TEXT, 'latin1')];
    for (const bytes of [plain, Buffer.from(marked), wide, utf16(marked), latin])
      expect(read(bytes)).toBe(TEXT);
    for (const bytes of [utf16(TEXT).swap16(), utf16(marked).swap16()]) expect(read(bytes)).toBe(TEXT);
    // Without zero bytes, only the byte order mark identifies UTF-16.
    const cyrillic = () => utf16('\u{feff}Сюрприз');
    expect(read(cyrillic())).toBe('Сюрприз');
    expect(read(cyrillic().swap16())).toBe('Сюрприз');
    expect(read(Buffer.alloc(0))).toBe('');
  });

  test.each([
    ['', 0, '00:01:05.250 --> 00:01:08.250\n|'],
    ['Ciao\n', 5, 'Ciao\n\n00:01:05.250 --> 00:01:08.250\n|'],
    ['Ciao\n\n\nAmore', 5, 'Ciao\n\n00:01:05.250 --> 00:01:08.250\n|\n\nAmore'],
  ])('inserts the film’s time into %j at %d', (text, at, expected) => {
    const written = withTime(text, at, 65.25);
    expect(`${written.text.slice(0, written.caret)}|${written.text.slice(written.caret)}`).toBe(expected);
  });
});

test('reports processing that ended since the last poll, and a refusal once', () => {
  const file = { slot: 'video', nome: 'film.mp4', size: 10 } as const;
  const work = { state: 'working', waiting: false, progress: 0.5, secondsLeft: null } as const;
  const working = (upload: string): ProcessingUpload => ({ ...file, ...work, upload });
  const no = (upload: string): ProcessingUpload => ({
    ...file,
    upload,
    state: 'refused',
    codice: 'FILE_BROKEN',
  });
  const ended = (before: ProcessingUpload[], now: ProcessingUpload[]) => {
    const { gone: missing, refused } = endedSince(before, now);
    return [missing, refused].map((all) => all.map(({ upload }) => upload).join());
  };
  expect(ended([working('a')], [working('a'), working('b')])).toEqual(['', '']);
  expect(ended([working('a'), working('b')], [working('b')])).toEqual(['a', '']);
  expect(ended([working('a')], [no('a')])).toEqual(['', 'a']);
  expect(ended([no('a')], [no('a')])).toEqual(['', '']);
  expect(ended([no('a')], [])).toEqual(['', '']);
});
