import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { PDFDocument, PDFName } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { MediaItem } from '../../src/contract/admin/media.ts';
import { MEDIA_SLOTS, mediaIdOf } from '../../src/domain/media.ts';
import { insertTickets } from '../../src/server/features/media/library.repo.ts';
import { companionId, companionsOf, deleteMedia } from '../../src/server/features/media/media.ts';
import { call } from '../support/http.ts';
import { buildCode, enter, ok, revokeCode, store, walkTo } from '../support/http-evening.ts';
import { useEvening } from '../support/suites.ts';
import { filledPdf, made } from '../support/ticket-pdfs.ts';
import { upload } from '../support/uploads.ts';

const { server, evening } = useEvening();
afterEach(() => vi.restoreAllMocks());

const FIXTURES = join(import.meta.dirname, '../fixtures');
const adminCall = (method: string, path: string, body?: unknown) =>
  call(server.url, method, path, body, { cookie: evening.admin });
const fetchAs = (cookie: string, path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, { ...init, headers: { cookie, ...init.headers } });
const tickets = (cookie: string, viaggio: number | string = 1, init: RequestInit = {}) =>
  fetchAs(cookie, `/api/visit/tickets/${viaggio}/biglietti.pdf`, init);
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
async function atCard(viaggio = 1, token = evening.token): Promise<string> {
  const cookie = await enter(server, { token });
  await walkTo(server, cookie, 'card', viaggio);
  return cookie;
}
async function change(fields: Record<string, unknown>): Promise<void> {
  const { versione } = ok(await adminCall('GET', '/admin/config')).body;
  ok(await adminCall('PATCH', '/admin/config', { versione, fields }));
}

describe('tickets', () => {
  test('sends a PDF unchanged, to be saved as biglietti.pdf', async () => {
    const response = await tickets(await atCard());
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="biglietti.pdf"',
      'cache-control': 'private, no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    expect((await bytesOf(response)).equals(await readFile(join(FIXTURES, 'ticket.pdf')))).toBe(true);
  });

  test('serves a visit from the moment its card is sent, trip by trip, until it is revoked', async () => {
    const token = await buildCode(server, evening);
    const cookie = await enter(server, { token });
    const statuses = async () => [(await tickets(cookie)).status, (await tickets(cookie, 2)).status];
    await walkTo(server, cookie, 'phrases');
    expect(await statuses()).toEqual([404, 404]);
    await walkTo(server, cookie, 'destination');
    expect(await statuses()).toEqual([200, 404]);
    await walkTo(server, cookie, 'phrases', 2);
    expect(await statuses()).toEqual([200, 200]);
    for (const viaggio of ['3', 'x']) expect((await tickets(cookie, viaggio)).status).toBe(404);
    await revokeCode(server, evening, token);
    const refused = await tickets(cookie);
    expect([refused.status, (await refused.json()).codice]).toEqual([403, 'DISCONNECTED']);
    expect((await tickets('')).status).toBe(401);
    await change({ biglietti_url: null });
    expect((await tickets(await atCard())).status).toBe(404);
    await change({ biglietti_url: evening.media.tickets.url });
  });
});

describe('PDF of a picture', () => {
  test('has one page, upright, and is sent in parts', async () => {
    const lying = sharp({ create: { width: 60, height: 30, channels: 3, background: '#fff' } });
    const turned = await lying.withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { url } = await store(server, 'a.jpg', Readable.from([turned]));
    await change({ biglietti_url: url });
    const cookie = await atCard();
    const answer = await tickets(cookie);
    const whole = await bytesOf(answer);
    const document = await PDFDocument.load(whole);
    const { width, height } = document.getPage(0).getSize();
    expect(height).toBeGreaterThan(width);
    expect([document.getPageCount(), answer.headers.get('content-length')]).toEqual([1, `${whole.length}`]);
    const headers = { range: 'bytes=100-', 'if-range': answer.headers.get('etag') ?? '' };
    const part = await tickets(cookie, 1, { headers });
    expect([part.status, await bytesOf(part)]).toEqual([206, whole.subarray(100)]);
    await change({ biglietti_url: evening.media.tickets.url });
  });

  test('is created with the picture, or once for concurrent requests, and has no separate address', async () => {
    const works = vi.spyOn(server.deps.mediaWorker, 'run');
    const photo = await readFile(join(FIXTURES, 'ticket.jpg'));
    const to = { url: server.url, cookie: evening.admin };
    const { item } = ok(await upload(to, 'biglietti', photo, { filename: 'foto.jpg' })).body;
    expect(item).toMatchObject({ attivo: true, content_type: 'image/jpeg' });
    works.mockClear();
    await bytesOf(await tickets(await atCard()));
    const asJoins = () => works.mock.calls.filter(([{ task }]) => task === 'join').length;
    expect(asJoins()).toBe(0);
    const media = await store(server, 'ticket.png');
    await change({ biglietti_url: media.url });
    const cookie = await atCard();
    const answers = await Promise.all([1, 2, 3].map(async () => bytesOf(await tickets(cookie))));
    for (const pdf of answers) expect(pdf.equals(answers[0] ?? Buffer.alloc(0))).toBe(true);
    expect(asJoins()).toBe(1);
    const path = `/media/${companionId(media.id, 'pdf')}.pdf`;
    expect((await call(server.url, 'GET', path, undefined, { cookie })).status).toBe(404);
    expect((await call(server.url, 'GET', path)).status).toBe(401);
    await change({ biglietti_url: evening.media.tickets.url });
  });

  test('is not found, with a line in the log, if the picture is invalid or missing', async () => {
    const broken = await store(server, 'rotto.png', Readable.from([Buffer.from('not a picture')]));
    const missing = await store(server, 'ticket.png');
    await server.deps.storage.remove(missing.url.split('/').at(-1) ?? '');
    for (const media of [broken, missing]) {
      await change({ biglietti_url: media.url });
      const response = await tickets(await atCard());
      expect([response.status, (await response.json()).codice]).toEqual([404, 'NOT_FOUND']);
      expect(server.logged()).toContain(media.id);
    }
    await change({ biglietti_url: evening.media.tickets.url });
  });
});

describe('drawn pages of tickets', () => {
  const untilDrawn = (id: string) => {
    const pages = async () => {
      const { body } = await adminCall('GET', '/admin/media/biglietti');
      return (body as MediaItem[]).find((item) => item.id === id)?.pages ?? null;
    };
    return vi.waitUntil(pages, { timeout: 60_000, interval: 100 });
  };
  const shown = async (cookie: string, viaggio = 1) => {
    const { stages, position } = await walkTo(server, cookie, 'card', viaggio);
    return stages[position.step].ticket_pages;
  };

  test('shows pictures to a visit that has reached the card, also of older tickets, and deletes them with the tickets', async () => {
    const to = { url: server.url, cookie: evening.admin };
    const { item } = ok(await upload(to, 'biglietti', await made({ pages: 2 }))).body;
    const pages = await untilDrawn(item.id);
    const urls = pages.map((page) => page.url);
    const cookie = await enter(server, evening);
    expect([urls.length, (await fetchAs(cookie, urls[0] ?? '')).status]).toEqual([2, 404]);
    expect(await shown(cookie)).toEqual(urls);
    const answer = await fetchAs(cookie, urls[0] ?? '');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect((await sharp(await answer.arrayBuffer()).metadata()).width).toBe(1_170);
    // A ticket that is a picture is shown unchanged.
    expect(await shown(cookie, 2)).toEqual([evening.media.tickets_2.url]);
    const media = mediaIdOf(item.url) ?? '';
    const { db } = server.deps;
    await db.updateTable('media').set({ pages: null }).where('id', '=', media).execute();
    await db.deleteFrom('media').where('id', 'in', companionsOf(media)).execute();
    const before = await enter(server, evening);
    await server.deps.live.publish({ type: 'changed', topics: ['config'] });
    expect(await untilDrawn(item.id)).toEqual(pages);
    expect(await shown(before)).toEqual(urls);
    const removed = await server.deps.inTransaction((tx) => deleteMedia(tx, media, server.deps.now()));
    const ids = pages.flatMap((page) => [page.url, page.small_url]).map(mediaIdOf);
    expect(removed).toEqual(expect.arrayContaining([media, ...ids]));
  });
});

describe('joining tickets', () => {
  /** Returns the list without the drawn pages, which come later. */
  const listed = async (slot = 'biglietti'): Promise<MediaItem[]> => {
    const { body } = await adminCall('GET', `/admin/media/${slot}`);
    return body.map((item: MediaItem) => ({ ...item, pages: null }));
  };
  const joining = (ids: string[], slot = 'biglietti') =>
    adminCall('POST', `/admin/media/${slot}/join`, { ids });
  const refused = async (ids: string[], slot?: string) => {
    const { status, body } = await joining(ids, slot);
    return [status, body.codice];
  };
  /** Adds a file to the list as an upload does. */
  async function saved(nome: string, bytes: Uint8Array, slot = 'biglietti'): Promise<string> {
    const { url } = await store(server, nome, Readable.from([Buffer.from(bytes)]));
    const tipo = slot === 'biglietti_2' ? 'secondo_viaggio' : nome.endsWith('.pdf') ? 'pdf' : 'image';
    const row = { id: randomUUID(), nome, url, tipo, created_at: new Date().toISOString() };
    await server.deps.inTransaction((tx) => insertTickets(tx, row));
    return row.id;
  }
  const pdf = async (seat: string, slot?: string) =>
    saved(`${seat}.pdf`, await made({ seat, pages: 1 }), slot);
  /** Returns the text of every page of a stored PDF. */
  async function pagesAt(url: string): Promise<string[]> {
    const bytes = new Uint8Array(await bytesOf(await fetchAs(evening.admin, url)));
    return (await extractText(await getDocumentProxy(bytes))).text;
  }

  test('creates one PDF in the requested order, which is then in use, and leaves the originals', async () => {
    const [out, back] = [await pdf('Andata'), await pdf('Ritorno')];
    const picture = await saved('foto.jpg', await readFile(join(FIXTURES, 'ticket.jpg')));
    const before = await listed();
    const { item, versione } = ok(await joining([back, picture, out])).body;
    expect(item).toMatchObject({ nome: 'biglietti uniti.pdf', tipo: 'pdf', attivo: true });
    expect(await pagesAt(item.url)).toEqual(['Ritorno 1', '', 'Andata 1']);
    expect(await listed()).toEqual([item, ...before.map((each) => ({ ...each, attivo: false }))]);
    expect((await adminCall('GET', '/admin/config')).body).toMatchObject({
      biglietti_url: item.url,
      versione,
    });
    const ids = [await pdf('Uno', 'biglietti_2'), await pdf('Due', 'biglietti_2')];
    expect(await refused(ids, 'biglietti')).toEqual([404, 'NOT_FOUND']);
    const second = ok(await joining(ids, 'biglietti_2')).body.item;
    expect([second.tipo, await pagesAt(second.url)]).toEqual(['secondo_viaggio', ['Uno 1', 'Due 1']]);
  });

  test('refuses files that lose content, are too large or can’t be joined, and changes nothing', async () => {
    /** Returns a PDF with an incompressible drawing of more than half of the limit for tickets. */
    const heavy = async () => {
      const document = await PDFDocument.create();
      const drawing = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 1, 1] };
      const bytes = randomBytes(MEDIA_SLOTS.biglietti.maxBytes / 2 + 1);
      const form = document.context.register(document.context.stream(bytes, drawing));
      document.addPage().node.setXObject(PDFName.of('Heavy'), form);
      return document.save();
    };
    const [form, plain] = [await saved('modulo.pdf', await filledPdf()), await pdf('Semplice')];
    const both = [await saved('a.pdf', await heavy()), await saved('b.pdf', await heavy())];
    const before = await listed();
    expect(await refused([plain, form])).toEqual([422, 'FILE_NOT_JOINABLE']);
    expect(await refused(both)).toEqual([413, 'FILE_TOO_LARGE']);
    expect(await listed()).toEqual(before);
  });

  test('refuses a file that is deleted before or meanwhile', async () => {
    const { storage } = server.deps;
    const keep = storage.put.bind(storage);
    const [missing, going, stays] = [await pdf('Via'), await pdf('Quasi'), await pdf('Resta')];
    const before = (await listed()).filter(({ nome }) => nome === 'biglietti uniti.pdf').length;
    ok(await adminCall('DELETE', `/admin/media/biglietti/${missing}`));
    expect(await refused([missing, stays])).toEqual([404, 'NOT_FOUND']);
    vi.spyOn(storage, 'put').mockImplementation(async (key, content) => {
      const stored = await keep(key, content);
      // Pages are drawn and stored at the same time.
      if (key.endsWith('.pdf')) ok(await adminCall('DELETE', `/admin/media/biglietti/${going}`));
      return stored;
    });
    expect(await refused([going, stays])).toEqual([404, 'NOT_FOUND']);
    const items = await listed();
    expect(items.map(({ id }) => id)).toContain(stays);
    expect(items.filter(({ nome }) => nome === 'biglietti uniti.pdf')).toHaveLength(before);
  });
});
