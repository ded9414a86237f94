import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { StorageUnavailable } from '../../src/server/storage/storage.ts';
import { call } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';
import { useSignedUp } from '../support/suites.ts';
import { announce, finish, idOf, MEDIA, offsetOf, send, upload } from '../support/uploads.ts';

const { server, to } = useSignedUp();

const asked = (method: string, path: string, body?: unknown) =>
  call(to.url, method, path, body, { cookie: to.cookie });
const arrived = async () => (await asked('GET', '/admin/uploads')).body;

async function bytesOf(url: string): Promise<Buffer> {
  const response = await fetch(`${to.url}${url}`, { headers: { cookie: to.cookie } });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** Sends every byte of a fixture, and asks for nothing. */
async function sent(name: string, slot = 'video'): Promise<string> {
  const bytes = await readFile(join(MEDIA, name));
  const id = idOf(await announce(to, bytes.length, { slot, filename: name }));
  expect((await send(to, id, 0, bytes)).status).toBe(204);
  return id;
}

test('what has come whole is heard of by the administrator’s pages when the work on it begins, and when it ends', async () => {
  const id = idOf(await announce(to, 100, { slot: 'video', filename: 'film.mp4' }));
  const { live, uploads } = server.deps;
  let heard = 0;
  const stop = live.subscribe(({ type }) => {
    if (type === 'changed' && uploads.jobs.find(id) !== undefined) heard += 1;
  });
  await send(to, id, 0, Buffer.alloc(100, 1));
  expect((await finish(to, id)).body.codice).toBe('FILE_NOT_VIDEO');
  stop();
  expect(heard).toBe(2);
  expect((await asked('POST', `/admin/uploads/${id}/dismiss`, {})).status).toBe(200);
});

describe('a film', () => {
  test.each([
    'hevc-hvc1.mp4',
    'hevc-hev1.mov',
    'av1.mp4',
    'vp9.webm',
    'prores.mov',
    'mpeg4.mp4',
    'matroska.mkv',
  ])('%s becomes one that every phone shows, with a picture of it', async (name) => {
    const { body } = await upload(to, 'video', join(MEDIA, name));
    expect(body).toMatchObject({ state: 'done', item: { content_type: 'video/mp4', nome: name } });
    const film = await bytesOf(body.item.url);
    expect(film.subarray(0, 4_000).includes('avc1') && film.subarray(0, 64).includes('moov')).toBe(true);
    expect((await bytesOf(body.item.poster_url)).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
  });

  test('tells neither where it was taken nor what it was called, and holds nothing foreign behind its end', async () => {
    const original = await readFile(join(MEDIA, 'rotated.mov'));
    expect(original.includes('+45.4642') && original.includes('Casa di Anna')).toBe(true);
    const { body } = await upload(
      to,
      'video',
      Buffer.concat([original, Buffer.from('<script>alert(1)</script>')]),
    );
    for (const url of [body.item.url, body.item.poster_url]) {
      const kept = await bytesOf(url);
      for (const secret of ['+45.46', 'Casa di Anna', '<script>']) expect(kept.includes(secret)).toBe(false);
    }
  });
});

test.each([
  ['alac.m4a', 'audio/mp4'],
  ['song.ogg', 'audio/mp4'],
  ['song.wav', 'audio/mp4'],
  ['good.mp4', 'audio/mp4'],
  ['../song.mp3', 'audio/mpeg'],
])('a song can be %s: it is served as %s', async (name, content_type) => {
  const { body } = await upload(to, 'canzone', join(MEDIA, name));
  expect(body).toMatchObject({ state: 'done', item: { content_type, warnings: [] } });
});

describe('what nobody waits for', () => {
  test('is in its slot all the same once every byte is there', async () => {
    const id = await sent('hevc-hvc1.mp4');
    const videos = async () => (await asked('GET', '/admin/media/video')).body;
    await expect
      .poll(async () => (await videos()).map(({ url }: { url: string }) => url), { timeout: 15_000 })
      .toContain(`/api/media/${id}.mp4`);
    await expect.poll(arrived).toEqual([]);
    expect((await finish(to, id)).body).toMatchObject({ state: 'done' });
  });

  test('is listed while it is worked on; the next one waits', async () => {
    const { put } = server.deps.storage;
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    server.deps.storage.put = async (key, content) => {
      begun.resolve();
      await release.promise;
      return put(key, content);
    };
    const first = await sent('good.mp4');
    await begun.promise;
    expect(await arrived()).toEqual([
      {
        upload: first,
        slot: 'video',
        nome: 'good.mp4',
        size: expect.any(Number),
        state: 'working',
        waiting: false,
        progress: expect.any(Number),
        secondsLeft: null,
      },
    ]);
    const [video] = (await asked('GET', '/admin/media/video')).body;
    const refused = await asked('POST', `/admin/media/video/${video.id}/poster`, { second: 0 });
    expect([refused.status, refused.body.codice]).toEqual([409, 'FILES_BUSY']);
    server.deps.storage.put = put;
    release.resolve();
    expect((await finish(to, first)).body.state).toBe('done');
  });

  test('tells how long it will take before there is any progress', async () => {
    const { mediaWorker } = server.deps;
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    server.deps.mediaWorker = {
      ...mediaWorker,
      async do(work, course) {
        course.progress(0);
        if (work.what === 'film') course.expects?.(230);
        begun.resolve();
        await release.promise;
        return mediaWorker.do(work, course);
      },
    };
    const id = await sent('good.mp4');
    await begun.promise;
    const [work] = await arrived();
    expect(work).toMatchObject({ state: 'working', progress: 0 });
    expect(work.secondsLeft).toBeGreaterThan(200);
    expect(work.secondsLeft).toBeLessThanOrEqual(230);
    server.deps.mediaWorker = mediaWorker;
    release.resolve();
    expect((await finish(to, id)).body.state).toBe('done');
  });

  test('why it was refused stays to be read until it is dismissed', async () => {
    const bytes = Buffer.from('Caro diario, '.repeat(50));
    const id = idOf(await announce(to, bytes.length, { slot: 'video', filename: 'diario.mp4' }));
    await send(to, id, 0, bytes);
    const refused = { slot: 'video', nome: 'diario.mp4', size: bytes.length, codice: 'FILE_NOT_VIDEO' };
    await expect.poll(arrived).toEqual([{ upload: id, state: 'refused', ...refused }]);
    expect((await finish(to, id)).body.codice).toBe('FILE_NOT_VIDEO');
    expect(await arrived()).toHaveLength(1);
    expect((await asked('POST', `/admin/uploads/${id}/dismiss`, {})).status).toBe(200);
    expect(await arrived()).toEqual([]);
    const again = await asked('POST', `/admin/uploads/${id}/dismiss`, {});
    expect([again.status, again.body.codice]).toEqual([404, 'NOT_FOUND']);
  });
});

test('goes on after a restart: between the upload and its check, and after the end', async () => {
  const dataDir = await newFolder();
  const film = await readFile(join(MEDIA, 'index-last.mp4'));
  const first = await startServer({ dataDir });
  const admin = await signUp(first);
  const there = (on: TestServer) => ({ url: on.url, cookie: admin });
  const announced = await announce(there(first), film.length, { slot: 'video', filename: 'dopo.mp4' });
  const id = idOf(announced);
  await send(there(first), id, 0, film.subarray(0, 5_000));
  await first.stop();

  const second = await startServer({ dataDir });
  expect(await offsetOf(there(second), id)).toBe(5_000);
  await send(there(second), id, 5_000, film.subarray(5_000));
  await second.stop();

  const third = await startServer({ dataDir });
  const { body } = await finish(there(third), id);
  expect(body).toMatchObject({ state: 'done', item: { nome: 'dopo.mp4', attivo: true }, versione: 1 });
  await third.stop();

  const fourth = await startServer({ dataDir });
  expect((await finish(there(fourth), id)).body).toEqual(body);
  await fourth.stop();
});

test('what keeps the server from going on is told; asked again it goes on', async () => {
  const { storage } = server.deps;
  const put = () => Promise.reject(new StorageUnavailable('broken'));
  server.deps.storage = { ...storage, put };
  const id = await sent('good.mp4');
  const size = expect.any(Number);
  const stopped = {
    upload: id,
    slot: 'video',
    nome: 'good.mp4',
    size,
    state: 'stopped',
    codice: 'UNAVAILABLE',
  };
  await expect.poll(arrived).toEqual([stopped]);
  server.deps.storage = storage;
  expect((await finish(to, id)).body.state).toBe('done');
  expect(await arrived()).toEqual([]);
});

test('of two films the first one to arrive is made first, to its end, and is the active one', async () => {
  const fresh = await startServer();
  const there = { url: fresh.url, cookie: await signUp(fresh) };
  const ids: string[] = [];
  for (const name of ['hevc-hvc1.mp4', 'good.mp4', 'vp9.webm']) {
    const bytes = await readFile(join(MEDIA, name));
    const id = idOf(await announce(there, bytes.length, { slot: 'video', filename: name }));
    await send(there, id, 0, bytes);
    ids.push(id);
  }
  const ends = await Promise.all(ids.map((id) => finish(there, id)));
  expect(ends.map(({ body }) => body.item.attivo)).toEqual([true, false, false]);
  const made = ends.map(({ body }) => body.item.created_at);
  expect(made).toEqual(made.toSorted());
  await fresh.stop();
});

describe('a video’s picture', () => {
  test('can be another one of it; the one before goes', async () => {
    const { body } = await upload(to, 'video', join(MEDIA, 'good.mp4'));
    const { id, poster_url } = body.item;
    const taken = await asked('POST', `/admin/media/video/${id}/poster`, { second: 1 });
    expect(taken.status, taken.text).toBe(200);
    expect(taken.body.item).toMatchObject({ id, poster_url: expect.stringMatching(/\.jpg$/) });
    expect(taken.body.item.poster_url).not.toBe(poster_url);
    expect((await bytesOf(taken.body.item.poster_url)).length).toBeGreaterThan(1_000);
    const { deleted_at } = await server.deps.db
      .selectFrom('media')
      .select('deleted_at')
      .where('id', '=', /(\w+)\.jpg/.exec(poster_url)?.[1] ?? '')
      .executeTakeFirstOrThrow();
    expect(deleted_at).not.toBeNull();
  });

  test.each(['nessuno', '0'.repeat(64), '%00'])('of no video (%s) is not found', async (id) => {
    const answer = await asked('POST', `/admin/media/video/${id}/poster`, { second: 0 });
    expect([400, 404]).toContain(answer.status);
  });
});
