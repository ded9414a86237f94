import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BinItem } from '../../src/contract/admin/bin.ts';
import type { MediaItem } from '../../src/contract/admin/media-item.ts';
import { BIN } from '../../src/domain/limits.ts';
import { mediaUrl } from '../../src/domain/media-address.ts';
import { MEDIA_SLOTS, SLOT_NAMES, type SlotName } from '../../src/domain/media-slots.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { writeArchive } from '../../src/server/features/archive/write.ts';
import { sweepBin } from '../../src/server/features/bin/bin.sweeper.ts';
import { companionId } from '../../src/server/features/media/companion.ts';
import { forgetMedia, listDeleted } from '../../src/server/features/media/media.repo.ts';
import { sweepMedia } from '../../src/server/features/media/media.sweeper.ts';
import { binGivesWay, hasRoom } from '../../src/server/features/media/room.ts';
import { call } from '../support/http.ts';
import { buildCode, enter, ok, signUp, walkTo } from '../support/http-evening.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';
import { made } from '../support/ticket-pdfs.ts';
import { MEDIA, upload } from '../support/uploads.ts';

let files: Record<SlotName, Buffer>;
let now: Date;
let server: TestServer;
let admin: string;
beforeAll(async () => {
  now = new Date();
  server = await startServer({ now: () => now });
  admin = await signUp(server);
  const drawn = sharp({ create: { width: 48, height: 32, channels: 3, background: '#357' } });
  const [picture, ticket] = [await drawn.jpeg().toBuffer(), await drawn.png().toBuffer()];
  const [video, canzone] = await Promise.all(
    ['good.mp4', 'song.m4a'].map((name) => readFile(join(MEDIA, name))),
  );
  const tickets = { biglietti: await made({ pages: 1 }), biglietti_2: ticket };
  files = { video, canzone, immagine: picture, immagine_2: picture, ...tickets } as typeof files;
});
afterAll(() => server.stop());
beforeEach(async () => {
  const tables = ['bin', 'videos', 'biglietti', 'immagini_destinazione', 'admin_config', 'media'] as const;
  for (const table of [...tables, 'notifications', 'active_sessions'] as const)
    await server.deps.db.deleteFrom(table).execute();
});

const ask = (method: string, path: string, body?: unknown) =>
  call(server.url, method, path, body, { cookie: admin });
const put = async (slot: SlotName): Promise<MediaItem> =>
  ok(await upload({ url: server.url, cookie: admin }, slot, files[slot])).body.item;
const remove = async (slot: SlotName, { id }: MediaItem): Promise<string> =>
  ok(await ask('DELETE', `/admin/media/${slot}/${id}`)).body.bin;
const restore = (bin: string) => ask('POST', `/admin/bin/${bin}/restore`, {});
const restored = async (bin: string) => ok(await restore(bin)).body.came;
const list = async (slot: SlotName): Promise<MediaItem[]> =>
  ok(await ask('GET', `/admin/media/${slot}`)).body;
const bin = async (): Promise<BinItem[]> => ok(await ask('GET', '/admin/bin')).body;
const field = async (slot: SlotName) => ok(await ask('GET', '/admin/config')).body[MEDIA_SLOTS[slot].field];
const sweep = () => sweepMedia(server.deps);
const isStored = async ({ url }: { url: string }) =>
  (await server.deps.storage.size(url.split('/').at(-1) ?? '')) !== null;
const status = async ({ url }: { url: string }, cookie = admin) =>
  (await fetch(`${server.url}${url}`, { headers: { cookie } })).status;

test.each(SLOT_NAMES)(
  '%s: a deleted file is the administrator’s alone, and comes back as it was',
  async (slot) => {
    const item = await put(slot);
    const id = await remove(slot, item);
    expect([await field(slot), await list(slot)]).toEqual([null, []]);
    await sweep();
    expect([await isStored(item), await status(item), await status(item, '')]).toEqual([true, 200, 401]);
    const [binned, ...others] = await bin();
    expect(binned).toMatchObject({ id, kind: 'media', place: slot, name: item.nome, url: item.url });
    expect(binned?.size).toBeGreaterThanOrEqual(item.size);
    expect([await restored(id), others]).toEqual(['active', []]);
    const light = expect.anything() as unknown;
    const [back, ...more] = await list(slot);
    // What is drawn beside may have come since.
    const drawn = { hues: back?.hues, pages: back?.pages };
    expect([back, more]).toEqual([{ ...item, light: item.light && light, ...drawn }, []]);
    expect([await field(slot), await bin()]).toEqual([item.url, []]);
    await sweep();
    expect(await status(item)).toBe(200);
  },
);

describe('taken back', () => {
  test('a file is listed where another is in use, and not in use where it wasn’t', async () => {
    const [picture, song] = [await put('immagine'), await put('canzone')];
    const bins = { picture: await remove('immagine', picture), song: await remove('canzone', song) };
    const [other, otherSong] = [await put('immagine'), await put('canzone')];
    expect(await restored(bins.picture)).toBe('listed');
    expect((await list('immagine')).map(({ url, attivo }) => [url, attivo])).toEqual(
      expect.arrayContaining([
        [other.url, true],
        [picture.url, false],
      ]),
    );
    const again = await remove('immagine', picture);
    await remove('immagine', other);
    expect([await restored(again), await field('immagine')]).toEqual(['back', null]);
    // There is one song.
    expect(await restore(bins.song)).toMatchObject({ status: 409, body: { codice: 'BIN_PLACE_TAKEN' } });
    await remove('canzone', otherSong);
    expect([await restored(bins.song), await field('canzone')]).toEqual(['active', song.url]);
  });

  test('a song that another one replaced starts where it did', async () => {
    const song = await put('canzone');
    await server.deps.db.updateTable('admin_config').set({ canzone_inizio_secondi: 0.1 }).execute();
    const next = await put('canzone');
    expect((await bin()).map(({ url }) => url)).toEqual([song.url]);
    now = new Date(now.getTime() + 1);
    await remove('canzone', next);
    const [, first] = await bin();
    expect(await restored(first?.id ?? '')).toBe('active');
    const config = ok(await ask('GET', '/admin/config')).body;
    expect(config).toMatchObject({ canzone_url: song.url, canzone_inizio_secondi: 0.1 });
  });

  test('a file is forgotten by no sweep that saw it before, though it was deleted again', async () => {
    const picture = await put('immagine');
    const id = await remove('immagine', picture);
    const seen = await listDeleted(server.deps.db);
    expect(seen.map(mediaUrl)).toContain(picture.url);
    const forgotten = async () => {
      const all = seen.map((file) => server.deps.inTransaction((tx) => forgetMedia(tx, file)));
      return new Set(await Promise.all(all));
    };
    await restored(id);
    expect(await forgotten()).toEqual(new Set([false]));
    now = new Date(now.getTime() + 1);
    await remove('immagine', picture);
    expect(await forgotten()).toEqual(new Set([false]));
    await sweep();
    expect(await status(picture)).toBe(200);
  });
});

test('the bytes go with the bin: after thirty days, or when the administrator empties it', async () => {
  const [picture, tickets] = [await put('immagine'), await put('biglietti_2')];
  const [old] = [await remove('immagine', picture), await remove('biglietti_2', tickets)];
  const deleted_at = new Date(now.getTime() - BIN.days * DAY_MS - 1).toISOString();
  await server.deps.db.updateTable('bin').set({ deleted_at }).where('id', '=', old).execute();
  await sweepBin(server.deps);
  await sweep();
  expect([await isStored(picture), await isStored(tickets)]).toEqual([false, true]);
  expect((await restore(old)).status).toBe(404);
  ok(await ask('DELETE', '/admin/bin'));
  expect([await bin(), await status(tickets), await isStored(tickets)]).toEqual([[], 404, false]);
  expect(await server.deps.db.selectFrom('media').select('id').execute()).toEqual([]);
});

describe('a disk that is short', () => {
  /** As many bytes are free as `room` says. */
  const depsWith = (room: () => Promise<number>) => {
    const uploads = { ...server.deps.uploads, folder: { ...server.deps.uploads.folder, room } };
    return { ...server.deps, uploads };
  };

  test('lets the oldest of the bin give way as far as that helps, and tells the administrator', async () => {
    const items: MediaItem[] = [];
    for (const slot of ['immagine', 'biglietti_2', 'immagine_2'] as const) {
      const item = await put(slot);
      await remove(slot, item);
      items.push(item);
      now = new Date(now.getTime() + 1_000);
    }
    const stored = () => Promise.all(items.map(isStored));
    const sizeOfBin = async () => (await bin()).reduce((sum, { size }) => sum + size, 0);
    const whole = await sizeOfBin();
    let missing = 0;
    const room = async () => 1_000 - missing + whole - (await sizeOfBin());
    const deps = depsWith(room);
    // Not all of it together would do: then it stays.
    expect([await hasRoom(deps, 1_000), await hasRoom(deps, 1_001 + whole)]).toEqual([true, false]);
    expect(await stored()).toEqual([true, true, true]);
    expect(await hasRoom(deps, 1_001)).toBe(true);
    expect(await stored()).toEqual([false, true, true]);
    const told = () => server.deps.db.selectFrom('notifications').select('payload').execute();
    expect(await told()).toEqual([{ payload: expect.stringContaining('un file più vecchio ha lasciato') }]);
    missing = whole;
    await binGivesWay(deps, async () => (await room()) >= 1_001);
    expect([await stored(), (await told()).length]).toEqual([[false, false, false], 2]);
  });

  test('gains nothing by the bin where the files are elsewhere', async () => {
    const picture = await put('immagine');
    await remove('immagine', picture);
    const deps = depsWith(async () => 1_000);
    const elsewhere = { ...deps, storage: { ...deps.storage, isOnDisk: false } };
    expect(await hasRoom(elsewhere, 1_001)).toBe(false);
    await binGivesWay(elsewhere, () => Promise.resolve(false));
    expect([await isStored(picture), (await bin()).length]).toEqual([true, 1]);
  });
});

test('the archive leaves it out, but for what a visit still needs; no other visit sees it', async () => {
  const [video, picture, tickets] = [await put('video'), await put('immagine'), await put('biglietti_2')];
  const token = await buildCode(server, { admin }, { max_accessi: 5 });
  const before = await enter(server, { token });
  await walkTo(server, before, 'video');
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
  const pdf = companionId(unused.id, 'pdf');
  expect(Object.keys(entries).filter((name) => name.includes(pdf) || name === 'tables/bin.jsonl')).toEqual(
    [],
  );
  expect(missing).toEqual([]);
  await remove('video', video);
  await put('video');
  const after = await enter(server, { token });
  await walkTo(server, after, 'video');
  expect([await status(video, before), await status(video, after)]).toEqual([200, 404]);
});
