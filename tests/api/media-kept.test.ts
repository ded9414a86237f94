import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MediaItem } from '../../src/contract/admin/media.ts';
import { MEDIA_SLOTS, SLOT_NAMES, type SlotName } from '../../src/domain/media.ts';
import { companionId, deleteMedia } from '../../src/server/features/media/media.ts';
import { sweepMedia } from '../../src/server/features/media/sweep.ts';
import { call } from '../support/http.ts';
import { type Evening, enter, ok, prepareEvening, walkTo } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { useSignedUp } from '../support/suites.ts';
import { MEDIA, upload } from '../support/uploads.ts';

/** Stored files: the administrator's lists, and the deletion of files. */

const FILES: Record<SlotName, string> = {
  video: join(MEDIA, 'good.mp4'),
  canzone: join(MEDIA, 'song.m4a'),
  immagine: join(MEDIA, '../picture.jpg'),
  biglietti: join(MEDIA, '../ticket.pdf'),
  immagine_2: join(MEDIA, '../picture.jpg'),
  biglietti_2: join(MEDIA, '../ticket.png'),
};

describe('list of files', () => {
  const { to } = useSignedUp();
  /** Returns a new item without the data that is derived later. */
  const atFirst = ({ light: _light, hues: _hues, pages: _pages, ...rest }: MediaItem) => rest;
  const ask = (method: string, path: string, body?: unknown) =>
    call(to.url, method, path, body, { cookie: to.cookie });
  const list = async (slot: string): Promise<MediaItem[]> =>
    ok(await ask('GET', `/admin/media/${slot}`)).body;
  const config = async () => ok(await ask('GET', '/admin/config')).body;
  const save = async (fields: object) =>
    ask('PATCH', '/admin/config', { versione: (await config()).versione, fields });
  const put = async (slot: string, file: string | Buffer, more = {}): Promise<MediaItem> =>
    ok(await upload(to, slot, file, more)).body.item;
  const remove = (slot: string, id: string) => ask('DELETE', `/admin/media/${slot}/${id}`);
  const use = (slot: string, id: string) => ask('POST', `/admin/media/${slot}/${id}/use`, {});
  const media = (url: string, cookie = to.cookie) => fetch(`${to.url}${url}`, { headers: { cookie } });

  test.each(SLOT_NAMES)(
    'shows an uploaded %s as active, and available to the administrator',
    async (slot) => {
      const { versione } = await config();
      const answer = ok(await upload(to, slot, FILES[slot])).body;
      const { item } = answer as { item: MediaItem };
      expect(item).toMatchObject({ nome: FILES[slot].split('/').at(-1), attivo: true, warnings: [] });
      expect(await config()).toMatchObject({ [MEDIA_SLOTS[slot].field]: item.url, versione: versione + 1 });
      expect((await list(slot)).map(atFirst)).toEqual([atFirst(item)]);
      const { headers } = await media(item.url);
      expect(headers.get('content-type')).toBe(item.content_type);
      expect(headers.get('content-length')).toBe(String(item.size));
      expect((await media(item.url, '')).status).toBe(401);
    },
  );

  test('shows the kind of each file, and replaces the active one by a new picture or ticket', async () => {
    const kinds = async (slot: string) => (await list(slot)).map(({ tipo }) => tipo);
    expect([await kinds('video'), await kinds('immagine_2')]).toEqual([[null], ['secondo_viaggio']]);
    for (const [slot, file] of [
      ['immagine', FILES.immagine],
      ['biglietti', FILES.biglietti_2],
    ] as const) {
      const item = await put(slot, file);
      const listed = (await list(slot)).map(atFirst);
      expect([listed[0], listed.filter(({ attivo }) => attivo)]).toEqual([atFirst(item), [atFirst(item)]]);
    }
    expect(await kinds('biglietti')).toEqual(['image', 'pdf']);
  });

  test('holds a second film inactive until it is chosen, and clears the field when the active one is deleted', async () => {
    const [first] = await list('video');
    const second = await put('video', join(MEDIA, 'silent.mp4'));
    expect(second).toMatchObject({ attivo: false, warnings: ['NO_SOUND'] });
    const before = await config();
    expect(before.video_url).toBe(first?.url);
    const used = ok(await use('video', second.id)).body;
    expect(used.items.map(({ attivo }: MediaItem) => attivo)).toEqual([true, false]);
    expect((await config()).video_url).toBe(second.url);
    const removed = ok(await remove('video', second.id)).body;
    expect(removed.items.map(({ id }: MediaItem) => id)).toEqual([first?.id]);
    const after = await config();
    expect([after.video_url, after.versione]).toEqual([null, removed.versione]);
    // Deleting an inactive one changes nothing.
    expect(ok(await remove('video', first?.id ?? '')).body.versione).toBe(after.versione);
    expect(await config()).toEqual(after);
    ok(await ask('DELETE', '/admin/bin'));
    for (const url of [second.url, first?.poster_url ?? '']) expect((await media(url)).status).toBe(404);
  });

  test('holds one song, whose start is inside it and is reset with it', async () => {
    const old = await put('canzone', join(MEDIA, '../song.mp3'));
    const startAt = async (second: number) =>
      (await save({ canzone_inizio_secondi: second })).body.codice ?? 'saved';
    // The start can't be in the song's last second.
    expect([await startAt(3_600), await startAt(5), await startAt(1)]).toEqual([
      'SONG_START_TOO_LATE',
      'SONG_START_TOO_LATE',
      'saved',
    ]);
    const song = await put('canzone', FILES.canzone);
    expect([await list('canzone'), (await config()).canzone_inizio_secondi]).toEqual([[song], 0]);
    expect(await startAt(1)).toBe('SONG_START_TOO_LATE');
    ok(await ask('DELETE', '/admin/bin'));
    expect((await media(old.url)).status).toBe(404);
    const { body } = await remove('canzone', song.id);
    expect([body.items, (await config()).canzone_url, await list('canzone')]).toEqual([[], null, []]);
  });

  test('finds no file of another list', async () => {
    const [tickets] = await list('biglietti');
    for (const slot of ['biglietti_2', 'canzone']) {
      expect((await use(slot, tickets?.id ?? '')).body.codice).toBe('NOT_FOUND');
      expect((await remove(slot, tickets?.id ?? '')).body.codice).toBe('NOT_FOUND');
    }
  });

  test('stores a name as text, without harmful characters', async () => {
    const item = await put('immagine', FILES.immagine, { filename: '../<b>foto</b>\r\n\0\u202e.jpg' });
    expect(item.nome).toBe('../<b>foto</b>.jpg');
    expect(item.url).toMatch(/^\/api\/media\/[0-9a-f]{32}\.jpg$/);
    expect((await put('immagine', FILES.immagine, { filename: 'à'.repeat(300) })).nome).toBe('à'.repeat(200));
  });
});

describe('media sweep', () => {
  const HOUR_MS = 3_600_000;
  let server: TestServer;
  let evening: Evening;
  let now = new Date();
  beforeAll(async () => {
    server = await startServer({ now: () => now });
    evening = await prepareEvening(server);
  });
  afterAll(() => server.stop());

  const sweep = () => sweepMedia(server.deps);
  const remove = (id: string) => server.deps.inTransaction((tx) => deleteMedia(tx, id, now));
  const isStored = async (key: string) => (await server.deps.storage.size(key)) !== null;
  const later = (hours: number) => void (now = new Date(now.getTime() + hours * HOUR_MS));
  const status = async (url: string, cookie: string) =>
    (await fetch(`${server.url}${url}`, { headers: { cookie } })).status;

  test('removes a deleted file with its companions when no visit needs it any more', async () => {
    const { video, tickets_2, song } = evening.media;
    const pdfKey = `${companionId(tickets_2.id, 'pdf')}.pdf`;
    const tickets = '/api/visit/tickets/2/biglietti.pdf';
    const [cookie, idle] = [await enter(server, evening), await enter(server, evening)];
    await walkTo(server, cookie, 'card', 2);
    expect(await status(tickets, cookie)).toBe(200);
    await sweep();
    expect(await isStored(`${video.id}.mp4`)).toBe(true);
    for (const { id } of [video, tickets_2, song]) await remove(id);
    await sweep();
    expect([await status(video.url, cookie), await status(video.url, evening.admin)]).toEqual([200, 404]);
    // Checked before the request, which would create it again.
    expect([await isStored(pdfKey), await status(tickets, cookie)]).toEqual([true, 200]);
    await walkTo(server, cookie, 'closing', 2);
    ok(await call(server.url, 'POST', '/visit/complete', {}, { cookie }));
    await sweep();
    expect(await isStored(`${video.id}.mp4`)).toBe(true);
    await walkTo(server, idle, 'closing', 2);
    ok(await call(server.url, 'POST', '/visit/complete', {}, { cookie: idle }));
    await sweep();
    for (const key of [`${video.id}.mp4`, `${tickets_2.id}.png`, pdfKey, `${song.id}.mp3`])
      expect([key, await isStored(key)]).toEqual([key, false]);
  });

  test('leaves a file without a row alone for 24 hours', async () => {
    const key = `${'e'.repeat(32)}.mp4`;
    await server.deps.storage.put(key, Readable.from([Buffer.from('x')]));
    const seenAt = async () => {
      await sweep();
      const seen = await server.deps.db.selectFrom('media_orphans').selectAll().execute();
      return [await isStored(key), ...seen.map(({ seen_at }) => seen_at)];
    };
    const first = now.toISOString();
    expect(await seenAt()).toEqual([true, first]);
    later(23);
    expect(await seenAt()).toEqual([true, first]);
    later(2);
    expect(await seenAt()).toEqual([false]);
    expect(await isStored(`${evening.media.tickets.id}.pdf`)).toBe(true);
  });
});
