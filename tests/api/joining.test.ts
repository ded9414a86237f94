import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PDFDocument, PDFName } from '@cantoo/pdf-lib';
import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import type { MediaItem } from '../../src/contract/admin/media-item.ts';
import { MEDIA_SLOTS } from '../../src/domain/media-slots.ts';
import { StorageUnavailable } from '../../src/server/storage/storage.ts';
import { call } from '../support/http.ts';
import { ok } from '../support/http-evening.ts';
import { useSignedUp } from '../support/suites.ts';
import { filledPdf, made } from '../support/ticket-pdfs.ts';
import { upload } from '../support/uploads.ts';

const { server, to } = useSignedUp();

const asked = (method: string, path: string, body?: unknown) =>
  call(to.url, method, path, body, { cookie: to.cookie });
/** Without their drawn pages, which come later. */
const listed = async (slot = 'biglietti'): Promise<MediaItem[]> => {
  const { body } = await asked('GET', `/admin/media/${slot}`);
  return body.map((item: MediaItem) => ({ ...item, pages: null }));
};
const joined = (ids: string[], slot = 'biglietti') => asked('POST', `/admin/media/${slot}/join`, { ids });
const photo = () => readFile(join(import.meta.dirname, '../fixtures/ticket.jpg'));

/** Saved tickets; their id. */
async function saved(filename: string, bytes: Uint8Array, slot = 'biglietti'): Promise<string> {
  const { item } = ok(await upload(to, slot, Buffer.from(bytes), { filename })).body;
  await expect.poll(() => server.deps.uploads.jobs.isBusy()).toBe(false);
  return item.id;
}
const pdf = async (seat: string, slot?: string) => saved(`${seat}.pdf`, await made({ seat, pages: 1 }), slot);

/** A page with a drawing of more than half of what tickets may weigh, that nothing packs. */
async function heavyPdf(): Promise<Uint8Array> {
  const tickets = await PDFDocument.create();
  const bytes = randomBytes(MEDIA_SLOTS.biglietti.maxBytes / 2 + 1);
  const drawing = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 1, 1] };
  const form = tickets.context.register(tickets.context.stream(bytes, drawing));
  tickets.addPage().node.setXObject(PDFName.of('Heavy'), form);
  return tickets.save();
}

/** The words of every page of a stored PDF. */
async function pagesAt(url: string): Promise<string[]> {
  const answer = await fetch(`${to.url}${url}`, { headers: { cookie: to.cookie } });
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(await answer.arrayBuffer())));
  return text;
}

const codeOf = ({ status, body }: { status: number; body: { codice: string } }) => [status, body.codice];

test('PDFs and a photo become one PDF in the order they are named; it is the active one, and they stay', async () => {
  const out = await pdf('Andata');
  const back = await pdf('Ritorno');
  const picture = await saved('foto.jpg', await photo());
  const before = await listed();
  const { item, versione } = ok(await joined([back, picture, out])).body;
  expect(item).toMatchObject({
    nome: 'biglietti uniti.pdf',
    tipo: 'pdf',
    content_type: 'application/pdf',
    attivo: true,
  });
  expect(await pagesAt(item.url)).toEqual(['Ritorno 1', '', 'Andata 1']);
  expect(await listed()).toEqual([item, ...before.map((each) => ({ ...each, attivo: false }))]);
  expect((await asked('GET', '/admin/config')).body).toMatchObject({ biglietti_url: item.url, versione });
});

test('the second trip has its own', async () => {
  const ids = [await pdf('Uno', 'biglietti_2'), await pdf('Due', 'biglietti_2')];
  expect(codeOf(await joined(ids, 'biglietti'))).toEqual([404, 'NOT_FOUND']);
  const { item } = ok(await joined(ids, 'biglietti_2')).body;
  expect(item.tipo).toBe('secondo_viaggio');
  expect(await pagesAt(item.url)).toEqual(['Uno 1', 'Due 1']);
});

test('what would lose something is refused, and nothing changes', async () => {
  const form = await saved('modulo.pdf', await filledPdf());
  const plain = await pdf('Semplice');
  const before = await listed();
  expect(codeOf(await joined([plain, form]))).toEqual([422, 'FILE_NOT_JOINABLE']);
  expect(await listed()).toEqual(before);
});

test('more than tickets may weigh is refused, and nothing changes', async () => {
  const ids = [await saved('a.pdf', await heavyPdf()), await saved('b.pdf', await heavyPdf())];
  const before = await listed();
  expect(codeOf(await joined(ids))).toEqual([413, 'FILE_TOO_LARGE']);
  expect(await listed()).toEqual(before);
});

test('while an upload is worked on it has to wait', async () => {
  const ids = [await pdf('Uno'), await pdf('Due')];
  const { put } = server.deps.storage;
  const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  server.deps.storage.put = async (key, content) => {
    begun.resolve();
    await release.promise;
    return put(key, content);
  };
  const coming = pdf('Tre');
  await begun.promise;
  expect(codeOf(await joined(ids))).toEqual([409, 'FILES_BUSY']);
  server.deps.storage.put = put;
  release.resolve();
  await coming;
  expect((await joined(ids)).status).toBe(200);
});

test('one that was deleted, before or meanwhile, is not found, and nothing changes', async () => {
  const [gone, going, stays] = [await pdf('Via'), await pdf('Quasi'), await pdf('Resta')];
  ok(await asked('DELETE', `/admin/media/biglietti/${gone}`));
  expect(codeOf(await joined([gone, stays]))).toEqual([404, 'NOT_FOUND']);
  const { put } = server.deps.storage;
  server.deps.storage.put = async (key, content) => {
    server.deps.storage.put = put;
    const stored = await put(key, content);
    ok(await asked('DELETE', `/admin/media/biglietti/${going}`));
    return stored;
  };
  expect(codeOf(await joined([going, stays]))).toEqual([404, 'NOT_FOUND']);
  const items = await listed();
  expect(items.map(({ id }) => id)).toContain(stays);
  expect(items.filter(({ nome, attivo }) => nome === 'biglietti uniti.pdf' && attivo)).toEqual([]);
});

test('without room it says so; while the storage can’t be reached, too', async () => {
  const ids = [await pdf('Uno'), await pdf('Due')];
  const { put } = server.deps.storage;
  const failing = (error: Error) => {
    server.deps.storage.put = async (_key, content) => {
      content.destroy();
      throw error;
    };
  };
  failing(new StorageUnavailable('full', { cause: Object.assign(new Error('full'), { code: 'ENOSPC' }) }));
  expect(codeOf(await joined(ids))).toEqual([507, 'STORAGE_FULL']);
  failing(new StorageUnavailable('away'));
  expect(codeOf(await joined(ids))).toEqual([503, 'UNAVAILABLE']);
  server.deps.storage.put = put;
  expect((await joined(ids)).status).toBe(200);
});

test.each([
  ['one alone', ['a']],
  ['none', []],
  ['the same one twice', ['a', 'a']],
  ['more than twenty', Array.from({ length: 21 }, (_, i) => String(i))],
])('%s can’t be joined', async (_what, ids) => {
  expect(codeOf(await joined(ids))).toEqual([400, 'BAD_INPUT']);
});

test('what are no tickets can’t be joined', async () => {
  expect(codeOf(await joined(['a', 'b'], 'video'))).toEqual([400, 'BAD_INPUT']);
});
