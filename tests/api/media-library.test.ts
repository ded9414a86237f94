import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';

import type { MediaItem } from '../../src/contract/admin/media-item.ts';
import { PICTURE } from '../../src/domain/limits.ts';
import { MEDIA_SLOTS, SLOT_NAMES, type SlotName } from '../../src/domain/media-slots.ts';
import { sweepMedia } from '../../src/server/features/media/media.sweeper.ts';
import { emptySqlite } from '../support/databases.ts';
import { ffmpeg } from '../support/ffmpeg.ts';
import { call } from '../support/http.ts';
import { enter, ok, walkTo } from '../support/http-evening.ts';
import { useEmptySignedUp } from '../support/signed-up.ts';
import { MEDIA, upload } from '../support/uploads.ts';

/** Twelve megapixels in several formats: 20 s where ten programs want the same two cores. */
const UNHURRIED = { timeout: 60_000 };
const FILES: Record<SlotName, string> = {
  video: join(MEDIA, 'good.mp4'),
  canzone: join(MEDIA, 'song.m4a'),
  immagine: join(MEDIA, '../picture.jpg'),
  biglietti: join(MEDIA, '../ticket.pdf'),
  immagine_2: join(MEDIA, '../picture.jpg'),
  biglietti_2: join(MEDIA, '../ticket.png'),
};

async function threeSeconds(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'song-'));
  const path = join(folder, 'song.m4a');
  await ffmpeg('-f', 'lavfi', '-i', 'sine=d=3', path);
  const song = await readFile(path);
  await rm(folder, { recursive: true });
  return song;
}

/** A file as it is kept; what is made of it afterwards is told as it comes. */
const atFirst = ({ light: _light, hues: _hues, ...kept }: MediaItem) => kept;

const on = useEmptySignedUp(emptySqlite);

const to = () => ({ url: on.server.url, cookie: on.cookie });
const ask = (method: string, path: string, body?: unknown) =>
  call(on.server.url, method, path, body, { cookie: on.cookie });
const list = async (slot: string): Promise<MediaItem[]> => ok(await ask('GET', `/admin/media/${slot}`)).body;
const config = async () => ok(await ask('GET', '/admin/config')).body;
const put = async (slot: string, file: string | Buffer, more = {}): Promise<MediaItem> =>
  ok(await upload(to(), slot, file, more)).body.item;
const remove = (slot: string, id: string) => ask('DELETE', `/admin/media/${slot}/${id}`);
const emptyBin = async () => ok(await ask('DELETE', '/admin/bin'));
const use = (slot: string, id: string) => ask('POST', `/admin/media/${slot}/${id}/use`, {});
const keyOf = (url: string) => url.split('/').at(-1) ?? '';
const media = (url: string, of = on.cookie) => fetch(`${on.server.url}${url}`, { headers: { cookie: of } });

test.each(SLOT_NAMES)('%s: an upload is listed, active, and there for the administrator', async (slot) => {
  const { versione } = await config();
  const answer = ok(await upload(to(), slot, FILES[slot])).body;
  const { item } = answer as { item: MediaItem };
  expect(item).toMatchObject({ nome: FILES[slot].split('/').at(-1), attivo: true, warnings: [] });
  expect(answer.versione).toBe(versione + 1);
  expect(await config()).toMatchObject({ [MEDIA_SLOTS[slot].field]: item.url, versione: versione + 1 });
  expect((await list(slot)).map(atFirst)).toEqual([atFirst(item)]);
  const response = await media(item.url);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': item.content_type,
    'x-content-type-options': 'nosniff',
    'content-length': String(item.size),
  });
  expect((await media(item.url, '')).status).toBe(401);
});

test('each list has its own, by the spec’s kinds', async () => {
  const kinds = async (slot: string) => (await list(slot)).map(({ tipo }) => tipo);
  expect(await kinds('video')).toEqual([null]);
  expect(await kinds('immagine')).toEqual([null]);
  expect(await kinds('immagine_2')).toEqual(['secondo_viaggio']);
  expect(await kinds('biglietti')).toEqual(['pdf']);
  expect(await kinds('biglietti_2')).toEqual(['secondo_viaggio']);
  await put('biglietti', join(MEDIA, '../ticket.png'));
  expect(await kinds('biglietti')).toEqual(['image', 'pdf']);
});

test('a second video is listed and left aside until «Usa»; deleting the active one clears the field', async () => {
  const [first] = await list('video');
  const second = await put('video', join(MEDIA, 'silent.mp4'));
  expect(second).toMatchObject({ attivo: false, warnings: ['NO_SOUND'] });
  expect((await config()).video_url).toBe(first?.url);
  const used = ok(await use('video', second.id)).body;
  expect(used.items.map(({ attivo }: MediaItem) => attivo)).toEqual([true, false]);
  expect((await config()).video_url).toBe(second.url);
  const removed = ok(await remove('video', second.id)).body;
  expect(removed.items.map(({ id }: MediaItem) => id)).toEqual([first?.id]);
  const after = await config();
  expect([after.video_url, after.versione]).toEqual([null, removed.versione]);
  await emptyBin();
  expect((await media(second.url)).status).toBe(404);
});

test('deleting one that is not active leaves the configuration alone', async () => {
  const other = await put('video', FILES.video);
  const before = await config();
  expect(ok(await remove('video', other.id)).body.versione).toBe(before.versione);
  expect(await config()).toEqual(before);
});

test('a new picture and new tickets become the active ones', async () => {
  for (const slot of ['immagine', 'biglietti', 'immagine_2', 'biglietti_2'] as const) {
    const item = await put(slot, FILES[slot]);
    const listed = (await list(slot)).map(atFirst);
    expect(listed.filter(({ attivo }) => attivo)).toEqual([atFirst(item)]);
    expect(listed[0]).toEqual(atFirst(item));
  }
});

test('a new song takes the old one’s place', async () => {
  const old = await put('canzone', await threeSeconds());
  const { versione } = await config();
  ok(await ask('PATCH', '/admin/config', { versione, fields: { canzone_inizio_secondi: 1 } }));
  const startAt = async (canzone_inizio_secondi: number) =>
    ask('PATCH', '/admin/config', {
      versione: (await config()).versione,
      fields: { canzone_inizio_secondi },
    });
  // Its last second is no song any more.
  for (const seconds of [3_600, 3]) {
    const late = await startAt(seconds);
    expect([late.status, late.body.codice], `${seconds} s`).toEqual([422, 'SONG_START_TOO_LATE']);
  }
  expect((await config()).canzone_inizio_secondi).toBe(1);
  const song = await put('canzone', join(MEDIA, 'song.ogg'));
  expect((await config()).canzone_inizio_secondi).toBe(0);
  expect([song.content_type, song.warnings]).toEqual(['audio/mp4', []]);
  expect(await list('canzone')).toEqual([song]);
  await emptyBin();
  expect((await media(old.url)).status).toBe(404);
  const { body } = await remove('canzone', song.id);
  expect([body.items, (await config()).canzone_url]).toEqual([[], null]);
  expect(await list('canzone')).toEqual([]);
});

test('what is not there, or lies in another slot, is not found', async () => {
  const [tickets] = await list('biglietti');
  const id = tickets?.id ?? '';
  for (const [slot, which] of [
    ['biglietti_2', id],
    ['immagine', id],
    ['canzone', id],
    ['video', 'x'],
    ['video', "' or 1=1"],
  ] as const) {
    const path = encodeURIComponent(which);
    expect((await use(slot, path)).body.codice).toBe('NOT_FOUND');
    expect((await remove(slot, path)).body.codice).toBe('NOT_FOUND');
  }
  expect((await ask('GET', '/admin/media/altro')).body.codice).toBe('BAD_INPUT');
});

test.each(['javascript:alert(1)', 'https://altrove.example/a.pdf', '//altrove.example', '/api/media/../me'])(
  'nothing but our own files can be pointed to: %s',
  async (biglietti_url) => {
    const { versione } = await config();
    const answer = await ask('PATCH', '/admin/config', { versione, fields: { biglietti_url } });
    expect(answer.body.codice).toBe('BAD_INPUT');
    expect((await config()).versione).toBe(versione);
  },
);

test('stays readable for who is in the middle of it, and goes when she is done', async () => {
  const [tickets] = await list('biglietti');
  const video = await put('video', FILES.video);
  ok(await use('video', video.id));
  const fields = { frasi: ['Dopo'], immagine_destinazione_url_2: null, biglietti_url_2: null };
  ok(await ask('PATCH', '/admin/config', { versione: (await config()).versione, fields }));
  const token = ok(await ask('POST', '/admin/tokens', { nome: 'Lei' })).body;
  const visitor = await enter(on.server, { token });
  await walkTo(on.server, visitor, 'card');
  for (const [slot, item] of [
    ['video', video],
    ['biglietti', tickets],
  ] as const)
    ok(await remove(slot, item?.id ?? ''));
  await emptyBin();
  await sweepMedia(on.server.deps);
  expect([(await media(video.url, visitor)).status, (await media(video.url)).status]).toEqual([200, 404]);
  expect((await media(tickets?.url ?? '', visitor)).status).toBe(200);
  await walkTo(on.server, visitor, 'closing');
  ok(await call(on.server.url, 'POST', '/visit/complete', {}, { cookie: visitor }));
  const before = await on.server.deps.storage.size(keyOf(video.url));
  await sweepMedia(on.server.deps);
  expect([before, await on.server.deps.storage.size(keyOf(video.url))]).toEqual([video.size, null]);
});

test('a poster belongs to its video, and goes with it', async () => {
  const video = await put('video', FILES.video);
  const { poster_url } = video;
  expect((await media(poster_url ?? '')).headers.get('content-type')).toBe('image/jpeg');
  ok(await remove('video', video.id));
  await emptyBin();
  expect((await media(poster_url ?? '')).status).toBe(404);
});

test('pictures are upright, in a phone’s size, and know no place', UNHURRIED, async () => {
  const photo = await sharp({ create: { width: 4_000, height: 3_000, channels: 3, background: '#357' } })
    .withExif({
      IFD0: { Orientation: '6', Make: 'Segreta' },
      IFD3: { GPSLatitude: '45/1 27/1 0/1', GPSLatitudeRef: 'N' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  expect((await sharp(photo).metadata()).exif).toBeDefined();
  const shown = await sharp(
    Buffer.from(await (await media((await put('immagine', photo)).url)).arrayBuffer()),
  ).metadata();
  expect([shown.width, shown.height]).toEqual([PICTURE.side * 0.75, PICTURE.side]);
  expect([shown.exif, shown.icc, shown.orientation]).toEqual([undefined, undefined, undefined]);
  const tickets = await sharp(
    Buffer.from(await (await media((await put('biglietti', photo)).url)).arrayBuffer()),
  ).metadata();
  expect([tickets.width, tickets.height]).toEqual([3_000, 4_000]);
});

test('a transparent PNG stays one, a plain one becomes a JPEG; tickets keep every pixel', async () => {
  const png = (alpha: number) =>
    sharp({ create: { width: 40, height: 40, channels: 4, background: { r: 9, g: 99, b: 9, alpha } } })
      .png()
      .toBuffer();
  expect((await put('immagine', await png(0.5))).content_type).toBe('image/png');
  expect((await put('immagine', await png(1))).content_type).toBe('image/jpeg');
  const original = await readFile(FILES.biglietti_2);
  const kept = Buffer.from(await (await media((await put('biglietti', original)).url)).arrayBuffer());
  const pixels = (bytes: Buffer) => sharp(bytes).removeAlpha().toColourspace('srgb').raw().toBuffer();
  expect((await pixels(kept)).equals(await pixels(original))).toBe(true);
});

test('the name is kept as text, without what could do harm', async () => {
  const item = await put('immagine', FILES.immagine, { filename: '../<b>foto</b>\r\n\0\u202e.jpg' });
  expect(item.nome).toBe('../<b>foto</b>.jpg');
  expect((await put('immagine', FILES.immagine, { filename: 'à'.repeat(300) })).nome).toBe('à'.repeat(200));
});
