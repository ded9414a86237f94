import type { HttpResponse } from 'tus-js-client';
import { describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../src/contract/errors.ts';
import { MEDIA_SLOTS, type SlotName } from '../../src/domain/media-slots.ts';
import { errorSentences } from '../../src/texts/errors.ts';
import { problemOf } from '../../src/web/admin/components/media/choose/check-file.ts';
import { stopOf } from '../../src/web/admin/components/media/uploads/stops.ts';
import { Failure } from '../../src/web/api/failure.ts';

const file = (name: string, type: string, size = 10) => new File([new Uint8Array(size)], name, { type });

describe('a file that was chosen', () => {
  test.each<[SlotName, string, string]>([
    ['video', 'film.mp4', 'video/mp4'],
    ['video', 'IMG_1.MOV', 'video/quicktime'],
    // Some systems know no type for it.
    ['video', 'film.MP4', ''],
    ['immagine', 'mare.jpg', 'image/jpeg'],
    ['immagine_2', 'mare.png', 'image/png'],
    ['immagine', 'IMG_2.HEIC', ''],
    ['immagine', 'mare.webp', 'image/webp'],
    ['biglietti', 'foto.heic', 'image/heic'],
    ['biglietti', 'volo.pdf', 'application/pdf'],
    ['biglietti_2', 'volo.jpeg', 'image/jpeg'],
    ['canzone', 'canzone.mp3', 'audio/mpeg'],
    ['canzone', 'canzone.ogg', 'audio/ogg'],
    // A film's sound.
    ['canzone', 'film.mp4', 'video/mp4'],
    ['canzone', 'memo.amr', ''],
    ['video', 'film.webm', 'video/webm'],
    ['video', 'FILM.MKV', ''],
    // Linux takes a camera's film for a translator's text, and a camcorder's for a model.
    ['video', 'film.ts', 'text/vnd.trolltech.linguist'],
    ['video', '00001.MTS', 'model/vnd.mts'],
    // What nobody knows from outside is read by the server.
    ['video', 'film', ''],
    ['video', 'film.xyz', 'application/octet-stream'],
    ['canzone', 'canzone', ''],
  ])('for %s: %s (%s) may leave', (slot, name, type) => {
    expect(problemOf(file(name, type), slot, MEDIA_SLOTS[slot].maxBytes)).toBeNull();
  });

  test.each<[SlotName, string, string, ErrorCode]>([
    ['video', 'mare.jpg', 'image/jpeg', 'FILE_NOT_VIDEO'],
    ['video', 'IMG_2.HEIC', '', 'FILE_NOT_VIDEO'],
    ['video', 'volo.pdf', '', 'FILE_NOT_VIDEO'],
    ['video', 'canzone.mp3', 'audio/mpeg', 'FILE_NO_PICTURE'],
    ['video', 'canzone.flac', '', 'FILE_NO_PICTURE'],
    ['immagine', 'logo.svg', 'image/svg+xml', 'FILE_SVG'],
    ['immagine', 'volo.pdf', 'application/pdf', 'FILE_NOT_IMAGE'],
    ['biglietti', 'volo.docx', 'application/msword', 'FILE_NOT_TICKETS'],
    ['biglietti', 'volo.pkpass', '', 'FILE_WALLET_PASS'],
    ['canzone', 'testo.txt', 'text/plain', 'FILE_NOT_AUDIO'],
    ['canzone', 'mare.png', 'image/png', 'FILE_NOT_AUDIO'],
  ])('for %s: %s (%s) is refused here', (slot, name, type, code) => {
    expect(problemOf(file(name, type), slot, MEDIA_SLOTS[slot].maxBytes)).toBe(errorSentences[code]);
  });

  test('empty or too large', () => {
    expect(problemOf(file('mare.jpg', 'image/jpeg', 0), 'immagine', MEDIA_SLOTS.immagine.maxBytes)).toBe(
      errorSentences.FILE_EMPTY,
    );
    const large = Object.defineProperty(file('mare.jpg', 'image/jpeg'), 'size', { value: 25 * 1024 ** 2 });
    expect(problemOf(large, 'immagine', MEDIA_SLOTS.immagine.maxBytes)).toBe(
      'Il file è troppo grande: è di 25 MB e può essere al massimo di 20 MB. Riducila: sul telefono basta uno screenshot, su un computer un programma di foto.',
    );
  });

  test('how large a video may be is said by the installation', () => {
    const huge = Object.defineProperty(file('film.mp4', 'video/mp4'), 'size', { value: 5 * 1024 ** 3 });
    expect(problemOf(huge, 'video', 10 * 1024 ** 3)).toBeNull();
    expect(problemOf(huge, 'video', 2 * 1024 ** 3)).toBe(
      'Il file è troppo grande: è di 5 GB e può essere al massimo di 2 GB. Accorcialo o esportalo in 1080p: su iPhone e Android con «Modifica», su un computer con un programma di montaggio.',
    );
  });
});

describe('why an upload stops', () => {
  const film = file('film.mp4', 'video/mp4');
  const refusal = (codice: ErrorCode, status: number) =>
    answer(status, JSON.stringify({ codice, messaggio: errorSentences[codice] }));

  test('no answer: the network, which passes', async () => {
    expect(await stopOf(null, new Error('network'), film)).toEqual({ kind: 'wait' });
  });

  test('no answer because the phone took the file away', async () => {
    const gone = Object.assign(file('film.mp4', 'video/mp4'), {
      slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')) }),
    });
    expect(await stopOf(null, new Error('network'), gone)).toEqual({ kind: 'file-lost' });
  });

  test.each([423, 429, 502, 503, 504])('%i from a proxy passes', async (status) => {
    expect(await stopOf(answer(status, '<h1>'), new Error(), film)).toEqual({ kind: 'wait' });
  });

  test('a busy server and a line that another request held pass', async () => {
    expect(await stopOf(refusal('UNAVAILABLE', 503), new Error(), film)).toEqual({ kind: 'wait' });
    expect(await stopOf(refusal('UPLOAD_CONFLICT', 409), new Error(), film)).toEqual({ kind: 'wait' });
  });

  test('a file that is not wanted is refused with the server’s sentence', async () => {
    const stop = await stopOf(refusal('FILE_TOO_LARGE', 413), new Error(), film);
    expect(stop).toEqual({ kind: 'refused', messaggio: errorSentences.FILE_TOO_LARGE });
  });

  test.each(['STORAGE_FULL', 'UPLOADS_BUSY', 'INTERNAL'] as const)(
    '%s may be tried again by hand',
    async (code) => {
      const stop = await stopOf(refusal(code, 500), new Error(), film);
      expect(stop).toMatchObject({
        kind: 'failed',
        failure: { codice: code, messaggio: errorSentences[code] },
      });
    },
  );

  test('nobody signed in again', async () => {
    const failure = new Failure('SIGN_IN_REQUIRED', errorSentences.SIGN_IN_REQUIRED);
    expect(await stopOf(null, failure, film)).toEqual({ kind: 'failed', failure });
  });

  test('an answer nobody can read', async () => {
    const stop = await stopOf(answer(500, '<h1>Oops</h1>'), new Error(), film);
    expect(stop).toMatchObject({ kind: 'failed', failure: { messaggio: "Errore durante l'upload" } });
  });

  function answer(status: number, body: string): HttpResponse {
    return {
      getStatus: () => status,
      getBody: () => body,
      getHeader: () => undefined,
      getUnderlyingObject: () => null,
    };
  }
});
