import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { MediaItem } from '../../src/contract/admin/media-item.ts';
import { companionId } from '../../src/server/features/media/companion.ts';
import { ffmpeg, soundBeginsAt } from '../support/ffmpeg.ts';
import { call } from '../support/http.ts';
import { newFolder } from '../support/server.ts';
import { useSignedUp } from '../support/suites.ts';
import { MEDIA, upload } from '../support/uploads.ts';

const { server, to } = useSignedUp();

const asked = (method: string, path: string, body?: unknown) =>
  call(to.url, method, path, body, { cookie: to.cookie });
const list = async (): Promise<MediaItem[]> => (await asked('GET', '/admin/media/video')).body;
const filmOf = async (id: string) => {
  const item = (await list()).find((each) => each.id === id);
  if (item === undefined) throw new Error('no film');
  return item;
};
const choose = (id: string, sound: unknown) => asked('POST', `/admin/media/video/${id}/sound`, { sound });
const work = async (id: string, method = 'GET') =>
  (await asked(method, `/admin/media/video/${id}/sound`)).body;
const ended = (id: string) =>
  expect.poll(async () => (await work(id)).state, { timeout: 30_000 }).not.toBe('working');
const chosen = async (id: string, sound: number) => {
  // It is refused as long as the work before is being put away.
  await expect.poll(async () => (await choose(id, sound)).body.state).toBe('working');
  await ended(id);
  return filmOf(id);
};
const idIn = (url: string) => /([0-9a-f]{32})/.exec(url)?.[1] ?? '';
const pathOf = ({ url }: MediaItem) => join(server.deps.env.DATA_DIR, 'media', `${idIn(url)}.mp4`);
/** Addresses of the files that aren't deleted. */
async function there(): Promise<string[]> {
  const rows = await server.deps.db.selectFrom('media').selectAll().where('deleted_at', 'is', null).execute();
  return rows.map(({ id }) => id);
}

let source: string;
beforeAll(async () => {
  source = join(await newFolder(), 'due-lingue.mkv');
  const tone = (second: number) => [
    '-f',
    'lavfi',
    '-i',
    `sine=frequency=997:duration=4:sample_rate=48000,volume='gte(t,${second})':eval=frame,aformat=channel_layouts=stereo`,
  ];
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=25:duration=4'];
  const maps = ['-map', '0', '-map', '1', '-map', '2'];
  const named = ['-metadata:s:a:0', 'language=ita', '-metadata:s:a:1', 'title=Commento'];
  const kinds = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  await ffmpeg(...picture, ...tone(1), ...tone(2), ...maps, ...kinds, ...named, source);
});

describe('a film with two sounds', { timeout: 60_000 }, () => {
  const uploaded = async () => (await upload(to, 'video', source)).body.item as MediaItem;

  test('has the first, and tells both; the other is put in its place, and the first again', async () => {
    const before = await uploaded();
    expect(before).toMatchObject({
      sound: 0,
      sounds: [
        { language: 'ita', title: null, channels: 2 },
        { language: null, title: 'Commento', channels: 2 },
      ],
    });
    await asked('POST', `/admin/media/video/${before.id}/use`, {});
    const after = await chosen(before.id, 1);
    // The light version is made, or not, in its own time.
    const { url: _old, loudness: _was, size: _size, light: _light, ...same } = before;
    expect(after).toMatchObject({ ...same, attivo: true, sound: 1 });
    expect(Math.abs((await soundBeginsAt(pathOf(after))) - 2)).toBeLessThan(0.08);
    expect((await asked('GET', '/admin/config')).body.video_url).toBe(after.url);
    expect(await there()).not.toContain(idIn(before.url));
    const back = await chosen(before.id, 0);
    expect(back).toMatchObject({ sound: 0, sounds: before.sounds });
    expect(Math.abs((await soundBeginsAt(pathOf(back))) - 1)).toBeLessThan(0.08);
    await asked('DELETE', `/admin/media/video/${before.id}`);
    expect(await there()).toEqual([]);
  });

  test('of one that was levelled the volume is as it came, and its files go', async () => {
    const before = await uploaded();
    await asked('POST', `/admin/media/video/${before.id}/level`, {});
    const levelling = async () => (await asked('GET', `/admin/media/video/${before.id}/level`)).body.state;
    await expect.poll(levelling, { timeout: 30_000 }).not.toBe('working');
    const levelled = await filmOf(before.id);
    expect(levelled).toMatchObject({ levelled: true, sound: 0, sounds: before.sounds });
    const after = await chosen(before.id, 1);
    expect(after).toMatchObject({ levelled: false, sound: 1 });
    for (const { url } of [before, levelled]) expect(await there()).not.toContain(idIn(url));
    expect(await there()).toContain(companionId(idIn(after.url), 'sounds'));
    await asked('DELETE', `/admin/media/video/${before.id}`);
    expect(await there()).toEqual([]);
  });

  test('stays as it is when it is stopped, or when what is chosen isn’t there', async () => {
    const before = await uploaded();
    const { mediaWorker } = server.deps;
    const begun = Promise.withResolvers<void>();
    server.deps.mediaWorker = {
      ...mediaWorker,
      do: (_work, { signal }) =>
        new Promise((_resolve, reject) => {
          if (signal.aborted) reject(signal.reason);
          signal.addEventListener('abort', () => reject(signal.reason));
          begun.resolve();
        }),
    };
    await choose(before.id, 1);
    await begun.promise;
    const level = await asked('POST', `/admin/media/video/${before.id}/level`, {});
    expect(level.body.codice).toBe('FILES_BUSY');
    expect(await work(before.id, 'DELETE')).toEqual({ state: 'idle' });
    server.deps.mediaWorker = { ...mediaWorker, do: async () => ({ refused: 'damaged' }) };
    await choose(before.id, 1);
    await ended(before.id);
    expect(await work(before.id)).toEqual({ state: 'stopped', codice: 'UNAVAILABLE' });
    server.deps.mediaWorker = mediaWorker;
    expect((await choose(before.id, 2)).body.codice).toBe('NOT_FOUND');
    for (const sound of [-1, 0.5, 'uno', null, 64]) expect((await choose(before.id, sound)).status).toBe(400);
    expect((await choose(before.id, 0)).status).toBe(200);
    expect(await filmOf(before.id)).toEqual({ ...before, light: expect.anything() as unknown });
    expect(await server.deps.uploads.folder.entries()).toEqual([]);
  });

  test('is kept without the choice where its sounds can’t be kept', async () => {
    const { mediaWorker } = server.deps;
    server.deps.mediaWorker = {
      ...mediaWorker,
      do: async (asking, course) =>
        asking.what === 'sounds' ? { refused: 'no_sound' } : mediaWorker.do(asking, course),
    };
    expect(await uploaded()).toMatchObject({ sounds: [], sound: null });
    server.deps.mediaWorker = mediaWorker;
  });
});

test('a film with one sound has nothing to choose', async () => {
  const { item } = (await upload(to, 'video', join(MEDIA, 'good.mp4'))).body;
  expect(item).toMatchObject({ sounds: [], sound: null });
  expect((await choose(item.id, 0)).body.codice).toBe('NOT_FOUND');
});
