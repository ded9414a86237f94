import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { DISK_SPACE } from '../../src/domain/limits.ts';
import { mediaIdOf } from '../../src/domain/media.ts';
import { listArrived, processCompleted } from '../../src/server/features/uploads/arrivals.ts';
import { newUploadId } from '../../src/server/features/uploads/upload-folder.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer } from '../support/deps.ts';
import { call } from '../support/http.ts';
import { ok, signUp } from '../support/http-evening.ts';
import { newFolder, startServer } from '../support/server.ts';
import { useSignedUp } from '../support/suites.ts';
import { announce, finish, idOf, MEDIA, offsetOf, send, upload } from '../support/uploads.ts';

/** Processing of a file once every byte of it has arrived. */

const { server, to } = useSignedUp();
const adminCall = (method: string, path: string, body?: unknown) =>
  call(to.url, method, path, body, { cookie: to.cookie });
const arrivals = async () => (await adminCall('GET', '/admin/uploads')).body;
const videos = async () => (await adminCall('GET', '/admin/media/video')).body;

async function bytesOf(url: string): Promise<Buffer> {
  const response = await fetch(`${to.url}${url}`, { headers: { cookie: to.cookie } });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** Sends every byte of a fixture, without requesting the result. */
async function sent(name: string, target = to): Promise<string> {
  const bytes = await readFile(join(MEDIA, name));
  const id = idOf(await announce(target, bytes.length, { slot: 'video', filename: name }));
  expect((await send(target, id, 0, bytes)).status).toBe(204);
  return id;
}

test('is added to its slot without a request', async () => {
  const id = await sent('good.mp4');
  const urls = async () => (await videos()).map(({ url }: { url: string }) => url);
  await expect.poll(urls).toContain(`/api/media/${id}.mp4`);
  await expect.poll(arrivals).toEqual([]);
  const { item } = (await finish(to, id)).body;
  expect(item).toMatchObject({ content_type: 'video/mp4', nome: 'good.mp4' });
  expect((await bytesOf(item.poster_url)).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
});

test('contains no place and no name of the recording, and no foreign data', async () => {
  const original = await readFile(join(MEDIA, 'rotated.mov'));
  expect(original.includes('+45.4642') && original.includes('Casa di Anna')).toBe(true);
  const more = Buffer.from('<script>alert(1)</script>');
  const { body } = await upload(to, 'video', Buffer.concat([original, more]));
  for (const url of [body.item.url, body.item.poster_url]) {
    const storedBytes = await bytesOf(url);
    for (const secret of ['+45.46', 'Casa di Anna', '<script>'])
      expect(storedBytes.includes(secret)).toBe(false);
  }
});

test('becomes a song from a film, and is not found once it is deleted', async () => {
  const { body } = await upload(to, 'canzone', join(MEDIA, 'good.mp4'));
  expect(body).toMatchObject({ state: 'done', item: { content_type: 'audio/mp4' } });
  ok(await adminCall('DELETE', `/admin/media/canzone/${body.item.id}`));
  expect((await finish(to, body.item.id)).body.codice).toBe('NOT_FOUND');
});

test('is stored once for concurrent and repeated requests', async () => {
  const before = (await videos()).length;
  const id = await sent('good.mp4');
  const ends = await Promise.all(Array.from({ length: 5 }, () => finish(to, id)));
  ends.push(await finish(to, id));
  // Its light version is created later.
  const light = expect.anything() as unknown;
  for (const { body } of ends)
    expect(body).toEqual({ ...ends[0]?.body, item: { ...ends[0]?.body.item, light } });
  expect(ends[0]?.body.state).toBe('done');
  expect(await videos()).toHaveLength(before + 1);
});

test('is listed while it is processed, and other work has to wait', async () => {
  const { put } = server.deps.storage;
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  server.deps.storage.put = async (key, content) => {
    begun.resolve();
    await gate.promise;
    return put(key, content);
  };
  const id = await sent('good.mp4');
  await begun.promise;
  const working = { state: 'working', waiting: false, progress: expect.any(Number) as number };
  expect(await arrivals()).toMatchObject([{ upload: id, slot: 'video', nome: 'good.mp4', ...working }]);
  const [video] = await videos();
  const refused = await adminCall('POST', `/admin/media/video/${video.id}/poster`, { second: 0 });
  expect([refused.status, refused.body.codice]).toEqual([409, 'FILES_BUSY']);
  server.deps.storage.put = put;
  gate.resolve();
  expect((await finish(to, id)).body.state).toBe('done');
});

test('reports why it was refused until that is dismissed', async () => {
  const bytes = Buffer.from('Caro diario, '.repeat(50));
  const id = idOf(await announce(to, bytes.length, { slot: 'video', filename: 'diario.mp4' }));
  await send(to, id, 0, bytes);
  const refused = { slot: 'video', nome: 'diario.mp4', size: bytes.length, codice: 'FILE_NOT_VIDEO' };
  await expect.poll(arrivals).toEqual([{ upload: id, state: 'refused', ...refused }]);
  expect((await finish(to, id)).body.codice).toBe('FILE_NOT_VIDEO');
  expect(await arrivals()).toHaveLength(1);
  expect((await adminCall('POST', `/admin/uploads/${id}/dismiss`, {})).status).toBe(200);
  expect(await arrivals()).toEqual([]);
});

test('continues after a restart: between the upload and its check, and after the end', async () => {
  const dataDir = await newFolder();
  const film = await readFile(join(MEDIA, 'index-last.mp4'));
  let running = await startServer({ dataDir });
  const cookie = await signUp(running);
  const target = () => ({ url: running.url, cookie });
  const restart = async () => {
    await running.stop();
    running = await startServer({ dataDir });
  };
  const id = idOf(await announce(target(), film.length, { slot: 'video', filename: 'dopo.mp4' }));
  await send(target(), id, 0, film.subarray(0, 5_000));
  await restart();
  expect(await offsetOf(target(), id)).toBe(5_000);
  await send(target(), id, 5_000, film.subarray(5_000));
  await restart();
  const { body } = await finish(target(), id);
  expect(body).toMatchObject({ state: 'done', item: { nome: 'dopo.mp4', attivo: true }, versione: 1 });
  await restart();
  expect((await finish(target(), id)).body).toEqual(body);
  await running.stop();
});

test('replaces its poster on request, and deletes the one before', async () => {
  const [{ id, poster_url }] = await videos();
  const { item } = ok(await adminCall('POST', `/admin/media/video/${id}/poster`, { second: 1 })).body;
  expect(item).toMatchObject({ id, poster_url: expect.stringMatching(/\.jpg$/) });
  expect(item.poster_url).not.toBe(poster_url);
  expect((await bytesOf(item.poster_url)).length).toBeGreaterThan(1_000);
  const before = server.deps.db
    .selectFrom('media')
    .select('deleted_at')
    .where('id', '=', mediaIdOf(poster_url) ?? '');
  expect((await before.executeTakeFirstOrThrow()).deleted_at).not.toBeNull();
});

test('is processed oldest first if there is space, unless refused, failed or running', async () => {
  const { ctx, deps, close } = await openTestServer(sqliteDatabase);
  const { folder, jobs } = deps.uploads;
  const pathOf = (id: string) => join(deps.env.DATA_DIR, 'uploads', id);
  const put = async (name: string, minutes: number, { size = 100, whole = true } = {}) => {
    const id = newUploadId();
    const info = { id, size, offset: 0, metadata: { slot: 'biglietti', filename: name } };
    await writeFile(pathOf(id), Buffer.alloc(whole ? size : size - 1));
    await writeFile(`${pathOf(id)}.json`, JSON.stringify(info));
    const then = new Date(Date.now() - minutes * 60_000);
    for (const path of [pathOf(id), `${pathOf(id)}.json`]) await utimes(path, then, then);
    return id;
  };
  const young = await put('young.pdf', 1);
  const old = await put('old.pdf', 3);
  const [refused, failed] = [await put('refused.pdf', 2.9), await put('failed.pdf', 2.8)];
  const atWork = await put('at-work.pdf', 2.7);
  const large = await put('large.pdf', 2.6, { size: 10_000 });
  const tried = await put('tried.pdf', 2.5);
  await put('half.pdf', 2, { whole: false });
  const why = { codice: 'FILE_BROKEN', slot: 'biglietti', filename: 'refused.pdf', size: 100 };
  await writeFile(`${pathOf(refused)}.refused`, JSON.stringify(why));
  await jobs.getOrStart(failed, () => Promise.reject(new Error('odd'))).end.catch(() => undefined);
  const working = Promise.withResolvers<{ kept: true }>();
  jobs.getOrStart(atWork, () => working.promise);
  const room = DISK_SPACE.low + 2 * 100;
  jobs.freeWhenFull.set(tried, room);
  const begun: string[] = [];
  vi.spyOn(jobs, 'getOrStart').mockImplementation((id) => {
    begun.push(id);
    return {} as ReturnType<typeof jobs.getOrStart>;
  });
  const begunWith = async (bytes: number) => {
    vi.spyOn(folder, 'freeBytes').mockResolvedValue(bytes);
    await processCompleted(deps);
    return begun.splice(0);
  };
  expect(await begunWith(room)).toEqual([old, young]);
  expect(await begunWith(room - 1)).toEqual([]);
  expect(await begunWith(DISK_SPACE.low + 2 * 10_000)).toEqual([old, large, tried, young]);
  const listed = (await listArrived(ctx)).map(({ nome, state }) => `${nome.replace('.pdf', '')} ${state}`);
  expect(listed.slice(0, 4)).toEqual(['old working', 'refused refused', 'failed stopped', 'at-work working']);
  vi.restoreAllMocks();
  working.resolve({ kept: true });
  await close();
});
