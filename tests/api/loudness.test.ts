import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MediaItem } from '../../src/contract/admin/media-item.ts';
import { ffmpeg } from '../support/ffmpeg.ts';
import { call } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import { newFolder, startServer } from '../support/server.ts';
import { useSignedUp } from '../support/suites.ts';
import { upload } from '../support/uploads.ts';

const { server, to } = useSignedUp();

const asked = (method: string, path: string, body?: unknown) =>
  call(to.url, method, path, body, { cookie: to.cookie });
const list = async (slot: string): Promise<MediaItem[]> => (await asked('GET', `/admin/media/${slot}`)).body;
const warningsOf = async (slot: string) => (await list(slot))[0]?.warnings;

let folder: string;
const at = (name: string) => join(folder, name);
const tone = (dB: number) => ['-f', 'lavfi', '-i', `sine=duration=2:sample_rate=48000,volume=${dB}dB`];
const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x120:rate=25:duration=2'];
const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loudness-'));
  await ffmpeg(...picture, ...tone(-20), ...h264, at('soft.mp4'));
  await ffmpeg(...picture, ...tone(5), ...h264, at('usual.mp4'));
  await ffmpeg(...tone(-20), at('soft.mp3'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a soft song is judged by itself, and held against the film once there is one', async () => {
  const song = await upload(to, 'canzone', at('soft.mp3'));
  expect(song.body.item.warnings).toEqual(['TOO_QUIET']);
  const film = await upload(to, 'video', at('usual.mp4'));
  expect(film.body.item).toMatchObject({ attivo: true, warnings: [] });
  expect(await warningsOf('canzone')).toEqual(['QUIETER_THAN_FILM']);
  const soft = await upload(to, 'video', at('soft.mp4'));
  expect(soft.body.item).toMatchObject({ attivo: false, warnings: ['TOO_QUIET'] });
});

type Which = { slot: string; id: string };
const level = ({ slot, id }: Which, method = 'POST') =>
  asked(method, `/admin/media/${slot}/${id}/level`, method === 'POST' ? {} : undefined);
const original = ({ slot, id }: Which) => asked('POST', `/admin/media/${slot}/${id}/original`, {});
const stateOf = async (which: Which) => (await level(which, 'GET')).body.state;
const ended = (which: Which) => expect.poll(() => stateOf(which), { timeout: 30_000 }).not.toBe('working');
const status = async (url: string | null) =>
  (await fetch(`${to.url}${url}`, { headers: { cookie: to.cookie } })).status;
/** Files that are neither deleted nor known by any of these addresses. */
async function lost(kept: readonly (string | null)[]): Promise<string[]> {
  const { db } = server.deps;
  const rows = await db.selectFrom('media').selectAll().where('deleted_at', 'is', null).execute();
  return rows
    .map(({ id, extension }) => `/api/media/${id}.${extension}`)
    .filter((url) => !kept.includes(url));
}
const addresses = async () =>
  [...(await list('video')), ...(await list('canzone'))].flatMap(({ url, poster_url }) => [url, poster_url]);

/** Holds the media worker at its work until it is stopped or let go. */
function holdWorker(on = server) {
  const { mediaWorker } = on.deps;
  const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  on.deps.mediaWorker = {
    ...mediaWorker,
    async do(work, course) {
      // The light film's maker may come by as well, and after a stop.
      course.signal.throwIfAborted();
      if (work.what === 'level') begun.resolve();
      const stopped = Promise.withResolvers<never>();
      course.signal.addEventListener('abort', () => stopped.reject(course.signal.reason));
      await Promise.race([release.promise, stopped.promise]);
      return mediaWorker.do(work, course);
    },
  };
  const letGo = () => {
    on.deps.mediaWorker = mediaWorker;
    release.resolve();
  };
  return { begun: begun.promise, letGo };
}

/** A film's light version is made beside all this: where it stands may change at any moment. */
const lightWhenever = <Item extends object>(item: Item) => ({ ...item, light: expect.anything() as unknown });

describe('levelling', () => {
  const film = async () => {
    const item = (await list('video')).find(({ nome }) => nome === 'soft.mp4');
    if (item === undefined) throw new Error('no film');
    return { ...item, slot: 'video' };
  };

  test('puts a film of the usual loudness in the place of a soft one; it can be as it was again', async () => {
    const before = await film();
    await asked('POST', `/admin/media/video/${before.id}/use`, {});
    expect((await level(before)).body.state).toBe('working');
    await ended(before);
    const after = await film();
    expect(after).toMatchObject({ id: before.id, levelled: true, attivo: true, warnings: [] });
    expect(Math.abs((after.loudness ?? 0) + 16)).toBeLessThan(1);
    expect([after.nome, after.poster_url]).toEqual([before.nome, before.poster_url]);
    expect(after.url).not.toBe(before.url);
    expect((await asked('GET', '/admin/config')).body.video_url).toBe(after.url);
    expect([await status(after.url), await status(before.url)]).toEqual([200, 200]);

    const back = await original(before);
    expect(back.body.items).toEqual((await list('video')).map(lightWhenever));
    const { slot: _slot, light: _light, ...item } = before;
    expect(await film()).toMatchObject({ ...item, attivo: true });
    expect((await asked('GET', '/admin/config')).body.video_url).toBe(before.url);
    expect(await status(after.url)).toBe(404);
    expect([(await original(before)).status, await lost(await addresses())]).toEqual([404, []]);
  });

  test('a song becomes as loud as the film, each time from the one that came', async () => {
    const [usual] = (await list('video')).filter(({ nome }) => nome === 'usual.mp4');
    await asked('POST', `/admin/media/video/${usual?.id}/use`, {});
    const [first] = await list('canzone');
    const song = async () => ({ slot: 'canzone', id: (await list('canzone'))[0]?.id ?? '' });
    for (let round = 0; round < 2; round += 1) {
      const which = await song();
      await level(which);
      await ended(which);
    }
    const [levelled] = await list('canzone');
    expect(levelled).toMatchObject({ levelled: true, warnings: [], created_at: first?.created_at });
    expect(Math.abs((levelled?.loudness ?? 0) - (usual?.loudness ?? 0))).toBeLessThan(1);
    expect(await lost(await addresses())).toEqual([first?.url]);
    expect((await original(await song())).body.items).toEqual([first]);
    expect(await lost(await addresses())).toEqual([]);
  });

  test('is refused while another is at work, and keeps others from waiting', async () => {
    const which = await film();
    const { begun, letGo } = holdWorker();
    await level(which);
    await begun;
    const [song] = await list('canzone');
    const other = await level({ slot: 'canzone', id: song?.id ?? '' });
    const poster = await asked('POST', `/admin/media/video/${which.id}/poster`, { second: 0 });
    expect([other.body.codice, poster.body.codice]).toEqual(['FILES_BUSY', 'FILES_BUSY']);
    expect((await level(which)).body.state).toBe('working');
    expect((await level(which, 'DELETE')).body).toEqual({ state: 'idle' });
    letGo();
    const { slot: _slot, ...item } = which;
    expect(await film()).toMatchObject(item);
    expect([await lost(await addresses()), await server.deps.uploads.folder.entries()]).toEqual([[], []]);
  });

  test('what can’t be made is told, and what is there stays', async () => {
    const which = await film();
    const { mediaWorker } = server.deps;
    server.deps.mediaWorker = { ...mediaWorker, do: async () => ({ refused: 'damaged' }) };
    await level(which);
    await ended(which);
    expect((await level(which, 'GET')).body).toEqual({ state: 'stopped', codice: 'UNAVAILABLE' });
    server.deps.mediaWorker = mediaWorker;
    expect((await film()).url).toBe(which.url);
  });

  test('a film that is deleted meanwhile doesn’t come back, and one that was levelled goes with the one it was made of', async () => {
    const deleted = (await upload(to, 'video', at('soft.mp4'))).body.item as MediaItem;
    const which = { slot: 'video', id: deleted.id };
    const { begun, letGo } = holdWorker();
    await level(which);
    await begun;
    await asked('DELETE', `/admin/media/video/${which.id}`);
    letGo();
    await ended(which);
    expect((await list('video')).map(({ id }) => id)).not.toContain(which.id);
    expect(await lost(await addresses())).toEqual([]);

    const other = await film();
    await level(other);
    await ended(other);
    expect(await lost(await addresses())).toEqual([other.url]);
    await asked('DELETE', `/admin/media/video/${other.id}`);
    expect(await lost(await addresses())).toEqual([]);
  });

  test.each(['nessuno', '0'.repeat(64), '%00'])('of no film (%s) is not found', async (id) => {
    for (const answer of [await level({ slot: 'video', id }), await original({ slot: 'video', id })])
      expect([answer.status, answer.body.codice]).toEqual([404, 'NOT_FOUND']);
  });

  test('a stop of the server leaves nothing half', async () => {
    const dataDir = await newFolder();
    const first = await startServer({ dataDir });
    const there = { url: first.url, cookie: await signUp(first) };
    const { item } = (await upload(there, 'video', at('soft.mp4'))).body;
    const { begun } = holdWorker(first);
    const { cookie } = there;
    await call(first.url, 'POST', `/admin/media/video/${item.id}/level`, {}, { cookie });
    await begun;
    await first.stop();
    const second = await startServer({ dataDir });
    const { body } = await call(second.url, 'GET', '/admin/media/video', undefined, { cookie });
    expect(body).toEqual([lightWhenever(item)]);
    expect(await second.deps.uploads.folder.entries()).toEqual([]);
    await second.stop();
  });
});
