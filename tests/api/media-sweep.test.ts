import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { companionId } from '../../src/server/features/media/companion.ts';
import { removeMedia } from '../../src/server/features/media/media.service.ts';
import { sweepMedia } from '../../src/server/features/media/media.sweeper.ts';
import { call } from '../support/http.ts';
import { type Evening, enter, prepareEvening, store, walkTo } from '../support/http-evening.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';

const HOUR = 3_600_000;

let server: TestServer;
let evening: Evening;
let now: Date;
beforeEach(async () => {
  now = new Date();
  server = await startServer({ now: () => now });
  evening = await prepareEvening(server);
});
afterEach(() => server.stop());

const sweep = () => sweepMedia(server.deps);
const remove = (id: string) => server.deps.inTransaction((tx) => removeMedia(tx, id, now));
const isStored = async (key: string) => (await server.deps.storage.size(key)) !== null;
const videoKey = () => `${evening.media.video.id}.mp4`;
const later = (hours: number) => {
  now = new Date(now.getTime() + hours * HOUR);
};

describe('a deleted file', () => {
  test('goes at the next sweep when nobody is watching', async () => {
    await sweep();
    expect(await isStored(videoKey())).toBe(true);
    await remove(evening.media.video.id);
    await sweep();
    expect(await isStored(videoKey())).toBe(false);
    expect(
      await server.deps.db
        .selectFrom('media')
        .select('id')
        .where('id', '=', evening.media.video.id)
        .execute(),
    ).toEqual([]);
  });

  test('stays while a living visit refers to it, and is hidden from the administrator at once', async () => {
    const cookie = await enter(server, evening);
    await walkTo(server, cookie, 'video');
    await remove(evening.media.video.id);
    await sweep();
    const status = async (of: string) =>
      (await call(server.url, 'GET', evening.media.video.url.slice(4), undefined, { cookie: of })).status;
    expect(await status(cookie)).toBe(200);
    expect(await status(evening.admin)).toBe(404);
    await walkTo(server, cookie, 'closing', 2);
    await call(server.url, 'POST', '/visit/complete', {}, { cookie });
    await sweep();
    expect(await isStored(videoKey())).toBe(false);
  });

  test('goes together with the PDF that was made of it, and both stay for the visit that needs them', async () => {
    const { id } = evening.media.tickets_2;
    const cookie = await enter(server, evening);
    await walkTo(server, cookie, 'card', 2);
    const status = async () =>
      (await fetch(`${server.url}/api/visit/tickets/2/biglietti.pdf`, { headers: { cookie } })).status;
    expect(await status()).toBe(200);
    const pdfKey = `${companionId(id, 'pdf')}.pdf`;
    await remove(id);
    await sweep();
    // Looked at before it is asked for: it would be made anew.
    expect([await isStored(pdfKey), await status()]).toEqual([true, 200]);
    later(25);
    await sweep();
    expect([await isStored(`${id}.png`), await isStored(pdfKey)]).toEqual([false, false]);
  });

  test('goes when the visit has reached the end of its life', async () => {
    await enter(server, evening);
    await remove(evening.media.video.id);
    later(25);
    await sweep();
    expect(await isStored(videoKey())).toBe(false);
  });
});

describe('a file without a row', () => {
  test('is left alone for 24 hours, then goes; files with a row stay', async () => {
    const key = `${'f'.repeat(32)}.mp4`;
    await server.deps.storage.put(key, Readable.from([Buffer.from('x')]));
    await sweep();
    later(23);
    await sweep();
    expect(await isStored(key)).toBe(true);
    later(2);
    await sweep();
    expect(await isStored(key)).toBe(false);
    for (const { url } of Object.values(evening.media))
      expect(await isStored(url.split('/').at(-1) ?? '')).toBe(true);
  });

  test('has its age from the database: no restart makes it young', async () => {
    const dataDir = await newFolder();
    const key = `${'e'.repeat(32)}.mp4`;
    const swept = async (hours: number) => {
      later(hours);
      const started = await startServer({ dataDir, now: () => now });
      await sweepMedia(started.deps);
      const left = await started.deps.storage.size(key);
      await started.stop();
      return left;
    };
    const first = await startServer({ dataDir, now: () => now });
    await first.deps.storage.put(key, Readable.from([Buffer.from('x')]));
    await sweepMedia(first.deps);
    const row = await first.deps.db.selectFrom('media_orphans').selectAll().executeTakeFirst();
    expect(row).toEqual({ key, seen_at: now.toISOString() });
    await first.stop();
    expect([await swept(23), await swept(2)]).toEqual([1, null]);
    await rm(dataDir, { recursive: true, force: true });
  });
});

describe('storing', () => {
  test('a stream that breaks leaves neither row nor bytes', async () => {
    const before = await server.deps.db.selectFrom('media').select('id').execute();
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('half');
        throw new Error('cut');
      })(),
    );
    await expect(store(server, 'film.mp4', broken)).rejects.toThrow('cut');
    expect(await server.deps.db.selectFrom('media').select('id').execute()).toEqual(before);
    const keys: string[] = [];
    for await (const key of server.deps.storage.keys()) keys.push(key);
    expect(keys).toHaveLength(before.length);
  });

  test('names a file by 128 random bits, whatever it was called', async () => {
    const media = await store(server, '../../etc/passwd\r\n\u202e.jpg', Readable.from([Buffer.from('x')]));
    expect(media.url).toMatch(/^\/api\/media\/[0-9a-f]{32}\.jpg$/);
    const row = await server.deps.db
      .selectFrom('media')
      .select('nome')
      .where('id', '=', media.id)
      .executeTakeFirstOrThrow();
    expect(row.nome).toBe('../../etc/passwd.jpg');
  });
});
