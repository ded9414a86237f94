import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { describe, expect, test, vi } from 'vitest';
import { companionId } from '../../src/server/features/media/companion.ts';
import { insertTickets } from '../../src/server/features/media/library.repo.ts';
import { fileOf, removeMedia } from '../../src/server/features/media/media.service.ts';
import { pdfOf } from '../../src/server/features/tickets/picture-pdf.service.ts';
import { call } from '../support/http.ts';
import { buildCode, enter, ok, prepareEvening, revokeCode, store, walkTo } from '../support/http-evening.ts';
import { newFolder, startServer } from '../support/server.ts';
import { useEvening } from '../support/suites.ts';
import { upload } from '../support/uploads.ts';

const { server, evening } = useEvening();

const tickets = (cookie: string, viaggio: number | string = 1, init: RequestInit = {}) =>
  fetch(`${server.url}/api/visit/tickets/${viaggio}/biglietti.pdf`, {
    ...init,
    headers: { cookie, ...init.headers },
  });

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

describe('the tickets', () => {
  test('a PDF comes as it is, to be kept as biglietti.pdf and nowhere else', async () => {
    const cookie = await enter(server, evening);
    await walkTo(server, cookie, 'card');
    const response = await tickets(cookie);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="biglietti.pdf"',
      'cache-control': 'private, no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    const original = await readFile(join(import.meta.dirname, '../fixtures/ticket.pdf'));
    expect((await bytesOf(response)).equals(original)).toBe(true);
  });

  test('a PNG becomes a PDF of one page, the same at every download, whole and in part', async () => {
    const cookie = await enter(server, evening);
    await walkTo(server, cookie, 'card', 2);
    const response = await tickets(cookie, 2);
    const pdf = await bytesOf(response);
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(response.headers.get('content-length')).toBe(String(pdf.length));
    expect((await PDFDocument.load(pdf)).getPageCount()).toBe(1);
    expect(pdf.toString('latin1')).toContain('/DCTDecode');
    expect((await bytesOf(await tickets(cookie, 2))).equals(pdf)).toBe(true);
    const part = await tickets(cookie, 2, { headers: { range: 'bytes=1-3' } });
    expect([part.status, (await bytesOf(part)).toString()]).toEqual([206, 'PDF']);
    const head = await tickets(cookie, 2, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(pdf.length)]);
  });

  test('a download that began before a restart goes on after it', async () => {
    const dataDir = await newFolder();
    const first = await startServer({ dataDir });
    const cookie = await enter(first, await prepareEvening(first));
    await walkTo(first, cookie, 'card', 2);
    const address = '/api/visit/tickets/2/biglietti.pdf';
    const before = await fetch(`${first.url}${address}`, { headers: { cookie } });
    const whole = await bytesOf(before);
    const headers = { cookie, range: 'bytes=100-', 'if-range': before.headers.get('etag') ?? '' };
    expect(
      (await bytesOf(await fetch(`${first.url}${address}`, { headers }))).equals(whole.subarray(100)),
    ).toBe(true);
    await first.stop();
    const second = await startServer({ dataDir });
    const after = await fetch(`${second.url}${address}`, { headers });
    expect([after.status, (await bytesOf(after)).equals(whole.subarray(100))]).toEqual([206, true]);
    await second.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('a JPEG too', async () => {
    const media = await store(server, 'ticket.jpg');
    await change({ biglietti_url: media.url });
    const cookie = await enter(server, evening);
    await walkTo(server, cookie, 'card');
    const pdf = await bytesOf(await tickets(cookie));
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    const page = (await PDFDocument.load(pdf)).getPage(0).getSize();
    expect(Math.round(Math.max(page.width, page.height))).toBe(842);
    await change({ biglietti_url: evening.media.tickets.url });
  });

  test('a photo that was taken lying is turned upright on its page', async () => {
    const lying = sharp({ create: { width: 60, height: 30, channels: 3, background: '#fff' } });
    const photo = await lying.withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const media = await store(server, 'storto.jpg', Readable.from([photo]));
    await change({ biglietti_url: media.url });
    const cookie = await enter(server, evening);
    await walkTo(server, cookie, 'card');
    const pdf = await bytesOf(await tickets(cookie));
    const page = (await PDFDocument.load(pdf)).getPage(0);
    expect(page.getHeight()).toBeGreaterThan(page.getWidth());
    expect(pdf.toString('latin1')).toMatch(/\/Width 30\b[^>]*\/Height 60\b/);
    await change({ biglietti_url: evening.media.tickets.url });
  });

  test('a picture that is none, and one whose file is gone, are not found and stand in the log', async () => {
    const broken = await store(server, 'rotto.png', Readable.from([Buffer.from('not a picture')]));
    const gone = await store(server, 'ticket.png');
    await server.deps.storage.remove(gone.url.split('/').at(-1) ?? '');
    for (const media of [broken, gone]) {
      await change({ biglietti_url: media.url });
      const cookie = await enter(server, evening);
      await walkTo(server, cookie, 'card');
      const response = await tickets(cookie);
      expect([response.status, (await response.json()).codice]).toEqual([404, 'NOT_FOUND']);
      expect(server.logged()).toContain(media.id);
    }
    await change({ biglietti_url: evening.media.tickets.url });
  });
});

describe('the PDF of a picture', () => {
  const to = () => ({ url: server.url, cookie: evening.admin });

  test('is made when the picture is uploaded: nothing is opened when she asks for it', async () => {
    const photo = await readFile(join(import.meta.dirname, '../fixtures/ticket.jpg'));
    const { item } = ok(await upload(to(), 'biglietti', photo, { filename: 'foto.jpg' })).body;
    expect(item).toMatchObject({ attivo: true, content_type: 'image/jpeg' });
    const asked = await worksDuring(async () => {
      const cookie = await enter(server, evening);
      await walkTo(server, cookie, 'card');
      const pdf = await bytesOf(await tickets(cookie));
      expect((await PDFDocument.load(pdf)).getPageCount()).toBe(1);
    });
    expect(asked).toEqual([]);
    await change({ biglietti_url: evening.media.tickets.url });
  });

  test('is made once of a picture that was stored without, however many ask at once', async () => {
    const media = await store(server, 'ticket.png');
    await change({ biglietti_url: media.url });
    const cookie = await enter(server, evening);
    await walkTo(server, cookie, 'card');
    const asked = await worksDuring(async () => {
      const answers = await Promise.all([1, 2, 3].map(async () => bytesOf(await tickets(cookie))));
      for (const pdf of [...answers, await bytesOf(await tickets(cookie))])
        expect(pdf.equals(answers[0] ?? Buffer.alloc(0))).toBe(true);
    });
    expect(asked).toEqual(['join']);
    await change({ biglietti_url: evening.media.tickets.url });
  });

  test('is made at the start of pictures that another version stored without', async () => {
    const dataDir = await newFolder();
    const first = await startServer({ dataDir });
    const media = await store(first, 'ticket.jpg');
    const row = { id: 'a', nome: 'foto.jpg', url: media.url, tipo: 'image', created_at: '2026-01-01' };
    await first.deps.inTransaction((tx) => insertTickets(tx, row));
    await first.stop();
    const second = await startServer({ dataDir });
    const made = () => fileOf(second.deps, companionId(media.id, 'pdf'));
    await expect.poll(made, { timeout: 15_000 }).toMatchObject({ content_type: 'application/pdf' });
    await second.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('has no address but that of the tickets, even for who knows its id', async () => {
    const cookie = await enter(server, evening);
    await walkTo(server, cookie, 'card', 2);
    expect((await tickets(cookie, 2)).status).toBe(200);
    const path = `/media/${companionId(evening.media.tickets_2.id, 'pdf')}.pdf`;
    expect((await call(server.url, 'GET', path, undefined, { cookie })).status).toBe(404);
    expect((await call(server.url, 'GET', path)).status).toBe(401);
  });

  test('of a picture that is deleted while it is made is as deleted as that', async () => {
    const media = await store(server, 'ticket.png');
    const picture = await fileOf(server.deps, media.id);
    if (picture === null) throw new Error('not stored');
    await server.deps.inTransaction((tx) => removeMedia(tx, media.id, new Date()));
    expect((await pdfOf(server.deps, picture)).deleted_at).not.toBe(null);
  });
});

describe('who may have them', () => {
  test('a visit from the moment its card is handed out, trip by trip', async () => {
    const cookie = await enter(server, evening);
    await walkTo(server, cookie, 'phrases');
    expect((await tickets(cookie)).status).toBe(404);
    await walkTo(server, cookie, 'destination');
    expect((await tickets(cookie)).status).toBe(200);
    expect((await tickets(cookie, 2)).status).toBe(404);
    await walkTo(server, cookie, 'phrases', 2);
    expect((await tickets(cookie, 2)).status).toBe(200);
  });

  test('nobody without a visit, nor after it was revoked', async () => {
    expect((await tickets('')).status).toBe(401);
    const token = await buildCode(server, evening);
    const cookie = await enter(server, { token });
    await walkTo(server, cookie, 'card');
    expect((await tickets(cookie)).status).toBe(200);
    await revokeCode(server, evening, token);
    const refused = await tickets(cookie);
    expect([refused.status, (await refused.json()).codice]).toEqual([403, 'DISCONNECTED']);
  });

  test('an evening without tickets has none, and there is no third trip', async () => {
    await change({ biglietti_url: null });
    const cookie = await enter(server, evening);
    await walkTo(server, cookie, 'card');
    expect((await tickets(cookie)).status).toBe(404);
    for (const viaggio of ['3', '0', '1%2f', '../1', 'x'])
      expect((await tickets(cookie, viaggio)).status).toBe(404);
    await change({ biglietti_url: evening.media.tickets.url });
  });
});

/** What the media worker is asked for meanwhile. */
async function worksDuring(work: () => Promise<void>): Promise<string[]> {
  const asked = vi.spyOn(server.deps.mediaWorker, 'do');
  await work();
  const works = asked.mock.calls.map(([{ what }]) => what);
  asked.mockRestore();
  return works;
}

async function change(fields: Record<string, unknown>): Promise<void> {
  const { versione } = ok(
    await call(server.url, 'GET', '/admin/config', undefined, { cookie: evening.admin }),
  ).body;
  ok(await call(server.url, 'PATCH', '/admin/config', { versione, fields }, { cookie: evening.admin }));
}
