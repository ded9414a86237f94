import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BinItem } from '../../src/contract/admin/bin.ts';
import type { MediaItem } from '../../src/contract/admin/media-item.ts';
import { BIN } from '../../src/domain/limits.ts';
import { mediaUrl } from '../../src/domain/media-address.ts';
import { MEDIA_SLOTS, type SlotName } from '../../src/domain/media-slots.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { emptyBin } from '../../src/server/bin/bin.repo.ts';
import { writeArchive } from '../../src/server/features/archive/write.ts';
import { sweepBin } from '../../src/server/features/bin/bin.sweeper.ts';
import { companionId } from '../../src/server/features/media/companion.ts';
import { forgetMedia, listDeleted } from '../../src/server/features/media/media.repo.ts';
import { sweepMedia } from '../../src/server/features/media/media.sweeper.ts';
import { binGivesWay, hasRoom } from '../../src/server/features/media/room.ts';
import { call } from '../support/http.ts';
import { buildCode, enter, ok, signUp, walkTo } from '../support/http-evening.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';
import { MEDIA, upload } from '../support/uploads.ts';

const FILES: Record<SlotName, string> = {
  video: join(MEDIA, 'good.mp4'),
  canzone: join(MEDIA, 'song.m4a'),
  immagine: join(MEDIA, '../picture.jpg'),
  biglietti: join(MEDIA, '../ticket.pdf'),
  immagine_2: join(MEDIA, '../picture.jpg'),
  biglietti_2: join(MEDIA, '../ticket.png'),
};

let now: Date;
let server: TestServer;
let admin: string;
beforeAll(async () => {
  now = new Date();
  server = await startServer({ now: () => now });
  admin = await signUp(server);
});
afterAll(() => server.stop());
beforeEach(async () => {
  const { db } = server.deps;
  for (const table of [
    'bin',
    'videos',
    'biglietti',
    'immagini_destinazione',
    'admin_config',
    'media',
  ] as const)
    await db.deleteFrom(table).execute();
  for (const table of ['notifications', 'active_sessions'] as const) await db.deleteFrom(table).execute();
});

const ask = (method: string, path: string, body?: unknown) =>
  call(server.url, method, path, body, { cookie: admin });
const put = async (slot: SlotName, file = FILES[slot]): Promise<MediaItem> =>
  ok(await upload({ url: server.url, cookie: admin }, slot, file)).body.item;
const remove = async (slot: SlotName, { id }: MediaItem): Promise<string> =>
  ok(await ask('DELETE', `/admin/media/${slot}/${id}`)).body.bin;
const restore = (bin: string) => ask('POST', `/admin/bin/${bin}/restore`, {});
const list = async (slot: SlotName): Promise<MediaItem[]> =>
  ok(await ask('GET', `/admin/media/${slot}`)).body;
const bin = async (): Promise<BinItem[]> => ok(await ask('GET', '/admin/bin')).body;
const field = async (slot: SlotName) => ok(await ask('GET', '/admin/config')).body[MEDIA_SLOTS[slot].field];
const sweep = () => sweepMedia(server.deps);
const isStored = async (url: string) =>
  (await server.deps.storage.size(url.split('/').at(-1) ?? '')) !== null;
const status = async (url: string, cookie = admin) =>
  (await fetch(`${server.url}${url}`, { headers: { cookie } })).status;

describe.each(Object.keys(FILES) as SlotName[])('%s', (slot) => {
  test('deleted, it is there for the administrator alone, and comes back as it was', async () => {
    const item = await put(slot);
    const id = await remove(slot, item);
    expect([await field(slot), await list(slot)]).toEqual([null, []]);
    await sweep();
    expect([await isStored(item.url), await status(item.url), await status(item.url, '')]).toEqual([
      true,
      200,
      401,
    ]);
    expect(await bin()).toEqual([
      expect.objectContaining({ id, kind: 'media', place: slot, name: item.nome, url: item.url }),
    ]);
    expect((await bin())[0]?.size).toBeGreaterThanOrEqual(item.size);
    expect(ok(await restore(id)).body).toEqual({ came: 'active' });
    const light = expect.anything() as unknown;
    const [back, ...more] = await list(slot);
    // A picture's hues are drawn beside: they may have come since.
    expect([back, more]).toEqual([{ ...item, light: item.light && light, hues: back?.hues }, []]);
    expect([await field(slot), await bin()]).toEqual([item.url, []]);
    await sweep();
    expect(await status(item.url)).toBe(200);
  });
});

test('where another file has taken its place it is listed, and a song stays in the bin', async () => {
  const [picture, song] = [await put('immagine'), await put('canzone')];
  const [pictureBin, songBin] = [await remove('immagine', picture), await remove('canzone', song)];
  const [other, otherSong] = [await put('immagine'), await put('canzone')];
  expect(ok(await restore(pictureBin)).body).toEqual({ came: 'listed' });
  expect(await field('immagine')).toBe(other.url);
  expect((await list('immagine')).map(({ url, attivo }) => [url, attivo])).toEqual(
    expect.arrayContaining([
      [other.url, true],
      [picture.url, false],
    ]),
  );
  expect(await restore(songBin)).toMatchObject({ status: 409, body: { codice: 'BIN_PLACE_TAKEN' } });
  await remove('canzone', otherSong);
  expect(ok(await restore(songBin)).body).toEqual({ came: 'active' });
  expect(await field('canzone')).toBe(song.url);
});

test('a song that a new one replaces lies there, too, with the point at which it started', async () => {
  const song = await put('canzone');
  await server.deps.db.updateTable('admin_config').set({ canzone_inizio_secondi: 0.1 }).execute();
  const next = await put('canzone');
  expect((await bin()).map(({ url }) => url)).toEqual([song.url]);
  now = new Date(now.getTime() + 1);
  await remove('canzone', next);
  const [, first] = await bin();
  expect(ok(await restore(first?.id ?? '')).body).toEqual({ came: 'active' });
  expect(ok(await ask('GET', '/admin/config')).body).toMatchObject({
    canzone_url: song.url,
    canzone_inizio_secondi: 0.1,
  });
});

test('one that wasn’t in use comes back so, though nothing is', async () => {
  const first = await put('immagine');
  const second = await put('immagine');
  const id = await remove('immagine', first);
  await remove('immagine', second);
  expect(ok(await restore(id)).body).toEqual({ came: 'back' });
  expect(await field('immagine')).toBeNull();
});

test('her visit keeps what it began with, and no other sees it', async () => {
  const video = await put('video');
  const token = await buildCode(server, { admin }, { max_accessi: 5 });
  const before = await enter(server, { token });
  await walkTo(server, before, 'video');
  await remove('video', video);
  await put('video');
  const after = await enter(server, { token });
  await walkTo(server, after, 'video');
  expect([await status(video.url, before), await status(video.url, after)]).toEqual([200, 404]);
});

test('the bytes go with the bin: after thirty days, or when it is emptied', async () => {
  const [picture, tickets] = [await put('immagine'), await put('biglietti_2')];
  const [old] = [await remove('immagine', picture), await remove('biglietti_2', tickets)];
  const deleted_at = new Date(now.getTime() - BIN.days * DAY_MS - 1).toISOString();
  await server.deps.db.updateTable('bin').set({ deleted_at }).where('id', '=', old).execute();
  await sweepBin(server.deps);
  await sweep();
  expect([await isStored(picture.url), await isStored(tickets.url)]).toEqual([false, true]);
  expect((await restore(old)).status).toBe(404);
  await server.deps.inTransaction((tx) => emptyBin(tx));
  expect(await status(tickets.url)).toBe(404);
  await sweep();
  expect(await isStored(tickets.url)).toBe(false);
  expect(await server.deps.db.selectFrom('media').select('id').execute()).toEqual([]);
});

test('emptied by the administrator, they go at once', async () => {
  const picture = await put('immagine');
  await remove('immagine', picture);
  ok(await ask('DELETE', '/admin/bin'));
  expect([await bin(), await isStored(picture.url)]).toEqual([[], false]);
});

test('a sweep forgets a file only as it saw it: one that was taken back stays, though it was deleted again', async () => {
  const picture = await put('immagine');
  const id = await remove('immagine', picture);
  const seen = await listDeleted(server.deps.db);
  expect(seen.map(mediaUrl)).toContain(picture.url);
  const forgotten = () =>
    Promise.all(seen.map((file) => server.deps.inTransaction((tx) => forgetMedia(tx, file))));
  ok(await restore(id));
  expect(new Set(await forgotten())).toEqual(new Set([false]));
  now = new Date(now.getTime() + 1);
  await remove('immagine', picture);
  expect(new Set(await forgotten())).toEqual(new Set([false]));
  await sweep();
  expect(await status(picture.url)).toBe(200);
});

describe('a disk that is short', () => {
  test('brings nothing to the bin where the files are elsewhere', async () => {
    const picture = await put('immagine');
    await remove('immagine', picture);
    const room = async () => 1_000;
    const uploads = { ...server.deps.uploads, folder: { ...server.deps.uploads.folder, room } };
    const deps = { ...server.deps, uploads, storage: { ...server.deps.storage, isOnDisk: false } };
    expect(await hasRoom(deps, 1_001)).toBe(false);
    await binGivesWay(deps, () => Promise.resolve(false));
    expect(await isStored(picture.url)).toBe(true);
    expect(await bin()).toHaveLength(1);
  });

  test('the oldest gives way first, as far as it helps, and the administrator is told', async () => {
    const items: MediaItem[] = [];
    for (const slot of ['immagine', 'biglietti_2', 'immagine_2'] as const) {
      const item = await put(slot);
      await remove(slot, item);
      items.push(item);
      now = new Date(now.getTime() + 1_000);
    }
    const stored = () => Promise.all(items.map(({ url }) => isStored(url)));
    const sizes = (await bin()).map(({ size }) => size);
    let missing = 0;
    const room = async () => 1_000 - missing + (await freed());
    const whole = sizes.reduce((sum, size) => sum + size, 0);
    const freed = async () => whole - (await bin()).reduce((sum, { size }) => sum + size, 0);
    const uploads = { ...server.deps.uploads, folder: { ...server.deps.uploads.folder, room } };
    const deps = { ...server.deps, uploads };

    expect(await hasRoom(deps, 1_000)).toBe(true);
    // Not all of it together would do: then it stays.
    expect(await hasRoom(deps, 1_001 + whole)).toBe(false);
    expect(await stored()).toEqual([true, true, true]);
    expect(await hasRoom(deps, 1_001)).toBe(true);
    expect(await stored()).toEqual([false, true, true]);
    const told = () => server.deps.db.selectFrom('notifications').select('payload').execute();
    expect(await told()).toEqual([{ payload: expect.stringContaining('un file più vecchio ha lasciato') }]);
    missing = whole;
    await binGivesWay(deps, async () => (await room()) >= 1_001);
    expect(await stored()).toEqual([false, false, false]);
    expect(await told()).toHaveLength(2);
  });
});

test('the archive leaves it out, and what a visit still needs is in it', async () => {
  const [video, picture, tickets] = [await put('video'), await put('immagine'), await put('biglietti_2')];
  const token = await buildCode(server, { admin });
  await enter(server, { token });
  await remove('immagine', picture);
  const later = await put('immagine');
  await remove('immagine', later);
  const unused = await put('biglietti_2');
  await remove('biglietti_2', unused);
  const sink = createWriteStream(join(await newFolder(), 'archive.zip'));
  const source = { db: server.deps.db, kind: 'sqlite', storage: server.deps.storage, secrets: {} } as const;
  const { entries, missing } = await writeArchive(source, sink, now);
  const has = ({ url }: MediaItem) => Object.hasOwn(entries, `media/${url.split('/').at(-1)}`);
  expect([video, picture, tickets, later, unused].map(has)).toEqual([true, true, true, false, false]);
  expect(Object.keys(entries)).not.toContain('tables/bin.jsonl');
  const pdf = companionId(unused.id, 'pdf');
  expect(Object.keys(entries).filter((name) => name.includes(pdf))).toEqual([]);
  expect(missing).toEqual([]);
});
