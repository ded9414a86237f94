import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { mediaIdOf } from '../../src/domain/media-address.ts';
import { listUnmade, noteLight } from '../../src/server/features/light/light.repo.ts';
import { companionId } from '../../src/server/features/media/companion.ts';
import { sweepMedia } from '../../src/server/features/media/media.sweeper.ts';
import { findBeside } from '../../src/server/features/visit/visit.repo.ts';
import { ffmpeg } from '../support/ffmpeg.ts';
import { call } from '../support/http.ts';
import { buildCode, enter, ok, revokeCode, walkTo } from '../support/http-evening.ts';
import { heavyFilm } from '../support/light-films.ts';
import { newFolder } from '../support/server.ts';
import { useEvening } from '../support/suites.ts';
import { MEDIA, upload } from '../support/uploads.ts';

/** What is made of a film, or kept with it: its light version, its captions, how loud it is. */

const { server, evening } = useEvening();
let folder: string;
beforeAll(async () => {
  folder = await newFolder();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Film = { id: string; url: string; poster_url: string };
const asked = (method: string, path: string, body?: unknown) =>
  call(server.url, method, path, body, { cookie: evening.admin });
const put = async (file: string, slot = 'video') =>
  ok(await upload({ url: server.url, cookie: evening.admin }, slot, file)).body.item;
/** A film of the list, which is the surprise's from then on. */
async function film(file = join(MEDIA, 'good.mp4')): Promise<Film> {
  const item = await put(file);
  ok(await asked('POST', `/admin/media/video/${item.id}/use`, {}));
  return item;
}
const itemOf = async (id: string) =>
  ok(await asked('GET', '/admin/media/video')).body.find((item: Film) => item.id === id);
const rowOf = (id: string) =>
  server.deps.db.selectFrom('videos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
/** Its row when it was looked whether a light version is needed. */
async function untilTried(id: string) {
  await vi.waitUntil(async () => (await rowOf(id)).light_state !== null, { timeout: 30_000 });
  return rowOf(id);
}
const fetched = (url: string | null, cookie: string) =>
  fetch(`${server.url}${url ?? ''}`, { headers: { cookie } });
const statusOf = async (url: string | null, cookie = evening.admin) => (await fetched(url, cookie)).status;
const begin = () => enter(server, evening);
/** What a visit is handed out with its film. */
async function shown(cookie: string) {
  const { stages } = await walkTo(server, cookie, 'video');
  return stages.find(({ stage }: { stage: string }) => stage === 'video');
}

describe('the light version of a film of many bits', () => {
  let heavy: Film;
  let light_url: string | null;
  /** A visit that began with another film. */
  let earlier: string;
  beforeAll(async () => {
    earlier = await begin();
    await walkTo(server, earlier, 'video');
    heavy = await film(await heavyFilm(folder, { seconds: 2 }));
    ({ light_url } = await untilTried(heavy.id));
  });
  const want = (id: string, on: unknown) => asked('POST', `/admin/media/video/${id}/light`, { on });
  const wanted = async (on: boolean) => ok(await want(heavy.id, on)).body.item.light;

  test('is made afterwards, smaller, and told with its film', async () => {
    const row = await rowOf(heavy.id);
    const made = { light_state: 'made', light_of: heavy.url, light_on: true };
    expect(row).toMatchObject({ ...made, seconds: expect.closeTo(2, 1) as number });
    const media = await server.deps.db.selectFrom('media').selectAll().execute();
    const sizeOf = (id: string | null) => media.find((each) => each.id === id)?.size ?? 0;
    const bytes = sizeOf(mediaIdOf(heavy.url));
    const size = sizeOf(companionId(mediaIdOf(heavy.url) ?? '', 'light'));
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThan(0.8 * bytes);
    expect((await itemOf(heavy.id)).light).toEqual({ on: true, state: 'made', size, seconds: row.seconds });
    const video_bitrate = Math.round((bytes * 8) / (row.seconds ?? 0));
    const beside = { poster_url: heavy.poster_url, light_url, video_bitrate, captions: null };
    expect(await findBeside(server.deps.db, heavy.url)).toEqual(beside);
  });

  test('is handed out with its film, unless it is off when the visit begins, and to nobody else', async () => {
    const cookie = await begin();
    expect(await shown(cookie)).toMatchObject({ video_url: heavy.url, light_url });
    const statuses = [cookie, evening.admin, earlier, ''].map((whose) => statusOf(light_url, whose));
    expect(await Promise.all(statuses)).toEqual([200, 200, 404, 401]);
    const token = await buildCode(server, evening);
    const revoked = await enter(server, { token });
    await revokeCode(server, evening, token);
    expect(await statusOf(light_url, revoked)).toBe(403);
    const before = await begin();
    expect(await wanted(false)).toMatchObject({ on: false, state: 'made' });
    const urls = [(await shown(before)).light_url, (await shown(await begin())).light_url];
    expect([...urls, await statusOf(light_url, before)]).toEqual([light_url, null, 200]);
    expect(await wanted(true)).toMatchObject({ on: true, state: 'made' });
    expect((await shown(await begin())).light_url).toBe(light_url);
  });

  test('is not made nor kept while it is off, and none where its film is another by now', async () => {
    const { db, inTransaction } = server.deps;
    const { seconds, ...before } = await rowOf(heavy.id);
    const set = (row: object) => db.updateTable('videos').set(row).where('id', '=', heavy.id).execute();
    await wanted(false);
    await set({ light_of: null, light_state: null });
    expect(await listUnmade(db)).toEqual([]);
    const light = { light_state: 'made', light_url: before.light_url, seconds } as const;
    const noted = () => inTransaction((tx) => noteLight(tx, { ...before, seconds }, light));
    expect(await noted()).toBe(false);
    await wanted(true);
    expect(await noted()).toBe(true);
    await set({ light_of: '/api/media/another.mp4' });
    expect((await itemOf(heavy.id)).light).toMatchObject({ state: 'again', size: null });
    expect(await findBeside(db, heavy.url)).toMatchObject({ light_url: null, video_bitrate: null });
    await set({ light_of: heavy.url });
  });

  test('goes with its film; one that is light already gets none', async () => {
    ok(await asked('DELETE', `/admin/media/video/${heavy.id}`));
    ok(await asked('DELETE', '/admin/bin'));
    expect(await statusOf(light_url)).toBe(404);
    const { id } = await film();
    expect(await untilTried(id)).toMatchObject({ light_state: 'needless', light_url: null });
    expect((await itemOf(id)).light).toMatchObject({ on: true, state: 'needless', size: null });
    for (const odd of ['nessuno', '%00', 'x'.repeat(65)])
      expect([400, 404]).toContain((await want(odd, true)).status);
    for (const on of ['sì', 1, null, undefined])
      expect((await want('nessuno', on)).body.codice).toBe('BAD_INPUT');
  });
});

describe('captions', () => {
  const SRT = '1\r\n00:00:00,500 --> 00:00:01,000\r\n<i>Ciao</i> <3\r\n';
  const save = (id: string, text: unknown, mode: unknown = 'device') =>
    asked('POST', `/admin/media/video/${id}/captions`, { text, mode });
  const saved = async (id: string, text: string, mode?: string) =>
    ok(await save(id, text, mode)).body.item.captions;
  const remove = (id: string) => asked('DELETE', `/admin/media/video/${id}/captions`);
  const captionsOf = async (cookie: string) => (await shown(cookie)).captions;
  let id: string;
  beforeAll(async () => {
    ({ id } = await film());
  });

  test('are kept as WebVTT; each visit keeps those it began with, whatever becomes of them', async () => {
    expect((await itemOf(id)).captions).toBeNull();
    const other = await begin();
    const first = await saved(id, SRT);
    expect(first).toEqual({ url: expect.stringMatching(/\.vtt$/) as string, mode: 'device' });
    const [hers, unwilling] = [await begin(), await begin()];
    const second = await saved(id, '00:01 --> 00:02\nUn’altra cosa', 'always');
    const after = await begin();
    ok(await remove(id));
    await sweepMedia(server.deps);
    expect(await captionsOf(other)).toBeNull();
    expect(await captionsOf(hers)).toEqual({ url: first.url, always: false });
    expect(await captionsOf(after)).toEqual({ url: second.url, always: true });
    expect(await captionsOf(await begin())).toBeNull();
    const answer = await fetched(first.url, hers);
    expect(await answer.text()).toBe('WEBVTT\n\n00:00:00.500 --> 00:00:01.000\nCiao &lt;3\n');
    expect(answer.headers.get('content-type')).toMatch(/^text\/vtt/);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(await (await fetched(second.url, after)).text()).toContain('Un’altra cosa');
    const refused = [statusOf(first.url, other), statusOf(first.url, ''), statusOf(first.url)];
    expect(await Promise.all([...refused, statusOf(second.url, unwilling)])).toEqual([404, 401, 404, 404]);
  });

  test('for nobody are handed to no visit, and go with their film', async () => {
    const { url } = await saved(id, SRT, 'never');
    const visit = await begin();
    expect(await captionsOf(visit)).toBeNull();
    expect([await statusOf(url, visit), await statusOf(url)]).toEqual([404, 200]);
    const rehearsed = async () => (await asked('GET', '/rehearsal')).body.snapshot.captions;
    expect(await rehearsed()).toBeNull();
    const last = await saved(id, SRT, 'always');
    expect(await rehearsed()).toMatchObject({ always: true });
    const { id: next } = await film(join(MEDIA, 'iphone.mov'));
    ok(await asked('DELETE', `/admin/media/video/${id}`));
    ok(await asked('DELETE', '/admin/bin'));
    expect(await statusOf(last.url)).toBe(404);
    await sweepMedia(server.deps);
    const left = await server.deps.db
      .selectFrom('media')
      .select('id')
      .where('extension', '=', 'vtt')
      .execute();
    expect(left.filter((row) => last.url.includes(row.id))).toEqual([]);
    id = next;
  });

  test('that go on after their film are told', async () => {
    // Who makes the light films notes how long they are.
    await untilTried(id);
    await saved(id, '00:01 --> 00:12.5\nCiao');
    const isLate = async (seconds: number | null) => {
      await server.deps.db.updateTable('videos').set({ seconds }).where('id', '=', id).execute();
      return (await itemOf(id)).warnings.includes('CAPTIONS_AFTER_END');
    };
    expect([await isLate(null), await isLate(11), await isLate(10)]).toEqual([false, false, true]);
  });

  test.each([
    ['', 422, 'CAPTIONS_EMPTY', undefined],
    ['Caro amore', 422, 'CAPTIONS_UNREADABLE', undefined],
    ['a'.repeat(700_000), 413, 'CAPTIONS_TOO_LARGE', undefined],
    ['\n00:02 --> 00:01\nCiao', 422, 'CAPTION_TIMES', 2],
    [`00:01 --> 00:02\n${'a'.repeat(301)}`, 422, 'CAPTION_TOO_LONG', 1],
    ['00:01 --> 00:02\nCiao\0', 400, 'BAD_INPUT', undefined],
    [null, 400, 'BAD_INPUT', undefined],
  ])('are refused with their line: %.20j', async (text, status, codice, line) => {
    const answer = await save(id, text);
    expect([answer.status, answer.body.codice, answer.body.line]).toEqual([status, codice, line]);
    if (line !== undefined) expect(answer.body.messaggio).toMatch(new RegExp(`^Riga ${line}: `));
    expect((await save(id, SRT, 'sempre')).body.codice).toBe('BAD_INPUT');
    for (const odd of ['nessuno', '%00'])
      for (const answered of [save(odd, SRT), remove(odd)])
        expect([400, 404]).toContain((await answered).status);
  });
});

test('a song is judged by itself, and against the film in use once there is one', async () => {
  const tone = (dB: number) => ['-f', 'lavfi', '-i', `sine=duration=2:sample_rate=48000,volume=${dB}dB`];
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x120:rate=25:duration=2'];
  const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'];
  const at = (name: string) => join(folder, name);
  await ffmpeg(...picture, ...tone(-20), ...h264, at('soft.mp4'));
  await ffmpeg(...picture, ...tone(5), ...h264, at('usual.mp4'));
  await ffmpeg(...tone(-20), at('soft.mp3'));
  const { versione } = ok(await asked('GET', '/admin/config')).body;
  ok(await asked('PATCH', '/admin/config', { versione, fields: { video_url: null } }));
  expect((await put(at('soft.mp3'), 'canzone')).warnings).toEqual(['TOO_QUIET']);
  expect((await film(at('usual.mp4'))) as object).toMatchObject({ warnings: [] });
  expect(ok(await asked('GET', '/admin/media/canzone')).body[0].warnings).toEqual(['QUIETER_THAN_FILM']);
  expect(await put(at('soft.mp4'))).toMatchObject({ attivo: false, warnings: ['TOO_QUIET'] });
});
