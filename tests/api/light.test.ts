import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { mediaIdOf } from '../../src/domain/media-address.ts';
import { listUnmade, noteLight } from '../../src/server/features/light/light.repo.ts';
import { companionId } from '../../src/server/features/media/companion.ts';
import { findBeside } from '../../src/server/features/visit/visit.repo.ts';
import { call } from '../support/http.ts';
import { buildCode, enter, ok, revokeCode, walkTo } from '../support/http-evening.ts';
import { heavyFilm } from '../support/light-films.ts';
import { newFolder } from '../support/server.ts';
import { useEvening } from '../support/suites.ts';
import { MEDIA, upload } from '../support/uploads.ts';

const { server, evening } = useEvening();
let folder: string;
beforeAll(async () => {
  folder = await newFolder();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const to = () => ({ url: server.url, cookie: evening.admin });
const asked = (method: string, path: string, body?: unknown, cookie = evening.admin) =>
  call(server.url, method, path, body, { cookie });
const rowOf = (id: string) =>
  server.deps.db.selectFrom('videos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const untilTried = async (id: string) => {
  await vi.waitUntil(async () => (await rowOf(id)).light_state !== null, { timeout: 30_000 });
  return rowOf(id);
};
const statusOf = async (url: string | null, cookie: string) =>
  (await fetch(`${server.url}${url ?? ''}`, { headers: { cookie } })).status;
const want = (id: string, on: unknown) => asked('POST', `/admin/media/video/${id}/light`, { on });
const itemOf = async (id: string) =>
  ok(await asked('GET', '/admin/media/video')).body.find((item: { id: string }) => item.id === id);

describe('a film of many bits', () => {
  let film: { id: string; url: string; poster_url: string };
  let light_url: string | null;
  /** A visit that began with another film. */
  let earlier: string;
  beforeAll(async () => {
    earlier = await enter(server, evening);
    await walkTo(server, earlier, 'video');
    film = ok(await upload(to(), 'video', await heavyFilm(folder, { seconds: 2 }))).body.item;
    ({ light_url } = await untilTried(film.id));
  });

  test('gets a light version afterwards', async () => {
    const row = await rowOf(film.id);
    expect(row).toMatchObject({
      light_state: 'made',
      light_of: film.url,
      light_on: true,
      seconds: expect.closeTo(2, 1) as number,
    });
    const media = await server.deps.db.selectFrom('media').selectAll().execute();
    const sizeOf = (id: string | null) => media.find((each) => each.id === id)?.size ?? 0;
    const bytes = sizeOf(mediaIdOf(film.url));
    const light = sizeOf(companionId(mediaIdOf(film.url) ?? '', 'light'));
    expect(light).toBeGreaterThan(0);
    expect(light).toBeLessThan(0.8 * bytes);
    expect((await itemOf(film.id)).light).toEqual({
      on: true,
      state: 'made',
      size: light,
      seconds: row.seconds,
    });
    expect(await findBeside(server.deps.db, film.url)).toEqual({
      poster_url: film.poster_url,
      light_url,
      video_bitrate: Math.round((bytes * 8) / (row.seconds ?? 0)),
      captions: null,
    });
  });

  test('is handed out with it, where her film is this one, and to nobody else', async () => {
    const cookie = await enter(server, evening);
    const { stages, position } = await walkTo(server, cookie, 'video');
    expect(stages[position.step]).toMatchObject({ video_url: film.url, light_url });
    const statuses = [cookie, evening.admin, earlier, ''].map((whose) => statusOf(light_url, whose));
    expect(await Promise.all(statuses)).toEqual([200, 200, 404, 401]);
    const token = await buildCode(server, evening);
    const revoked = await enter(server, { token });
    await revokeCode(server, evening, token);
    expect(await statusOf(light_url, revoked)).toBe(403);
  });

  test('turned off is handed out without it to visits that begin, and with it again when it is on', async () => {
    const before = await enter(server, evening);
    const shown = async (cookie: string) => {
      const { stages, position } = await walkTo(server, cookie, 'video');
      return stages[position.step].light_url;
    };
    expect(ok(await want(film.id, false)).body.item.light).toMatchObject({ on: false, state: 'made' });
    expect([await shown(before), await shown(await enter(server, evening))]).toEqual([light_url, null]);
    expect(await statusOf(light_url, before)).toBe(200);
    expect(ok(await want(film.id, true)).body.item.light).toMatchObject({ on: true, state: 'made' });
    expect(await shown(await enter(server, evening))).toBe(light_url);
  });

  test('turned off gets none, and keeps none that was just made', async () => {
    const { db, inTransaction } = server.deps;
    const before = await rowOf(film.id);
    ok(await want(film.id, false));
    await db.updateTable('videos').set({ light_of: null, light_state: null }).execute();
    expect(await listUnmade(db)).toEqual([]);
    const { light_url: made, seconds } = before;
    const light = { light_state: 'made', light_url: made, seconds } as const;
    expect(await inTransaction((tx) => noteLight(tx, before, light))).toBe(false);
    ok(await want(film.id, true));
    expect(await inTransaction((tx) => noteLight(tx, before, light))).toBe(true);
  });

  test('that is another file by now is told to be made again, and nothing is handed out', async () => {
    const changed = (light_of: string) =>
      server.deps.db.updateTable('videos').set({ light_of }).where('id', '=', film.id).execute();
    await changed('/api/media/another.mp4');
    expect((await itemOf(film.id)).light).toMatchObject({ state: 'again', size: null });
    expect(await findBeside(server.deps.db, film.url)).toMatchObject({
      light_url: null,
      video_bitrate: null,
    });
    await changed(film.url);
  });

  test('takes it along when it is deleted', async () => {
    ok(await asked('DELETE', `/admin/media/video/${film.id}`));
    ok(await asked('DELETE', '/admin/bin'));
    expect(await statusOf(light_url, evening.admin)).toBe(404);
  });
});

test('one that is light already gets none, and is not tried again', { timeout: 60_000 }, async () => {
  const { body } = await upload(to(), 'video', join(MEDIA, 'matroska.mkv'));
  const { light_state, light_url } = await untilTried(body.item.id);
  expect([light_state, light_url]).toEqual(['needless', null]);
  expect((await itemOf(body.item.id)).light).toMatchObject({ on: true, state: 'needless', size: null });
});

test('a film that isn’t there, or a wish that is none, is refused', async () => {
  for (const id of ['nessuno', '%00', 'x'.repeat(65)])
    expect([400, 404]).toContain((await want(id, true)).status);
  for (const on of ['sì', 1, null, undefined])
    expect((await want('nessuno', on)).body.codice).toBe('BAD_INPUT');
});
