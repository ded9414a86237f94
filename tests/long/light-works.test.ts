import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { DAY_MS } from '../../src/domain/limits.ts';
import { sweepMedia } from '../../src/server/features/media/sweep.ts';
import { Preempted } from '../../src/server/media-worker/worker.ts';
import { call } from '../support/http.ts';
import { ok, signUp } from '../support/http-evening.ts';
import { heavyFilm, watchLight } from '../support/light-films.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';
import { MEDIA, upload } from '../support/uploads.ts';

/** Interrupted conversions of light films. */

const SOON = { timeout: 60_000 };
let folder: string;
let film: string;
beforeAll(async () => {
  folder = await newFolder();
  film = await heavyFilm(folder, { seconds: 5 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

type Film = { id: string; url: string };

/** Starts a server that is converting the light version of a film. */
async function making(
  dataDir: string,
): Promise<{ server: TestServer; cookie: string; film: Film; seen: Seen }> {
  const server = await startServer({ dataDir });
  const seen = watchLight(server);
  const cookie = await signUp(server);
  const { item } = ok(await upload({ url: server.url, cookie }, 'video', film)).body;
  await expect.poll(() => seen.begun, SOON).toBeGreaterThan(0);
  expect(seen.ends).toEqual([]);
  return { server, cookie, film: item, seen };
}
type Seen = ReturnType<typeof watchLight>;

const lightOf = async ({ deps }: TestServer, id: string) =>
  (await deps.db.selectFrom('videos').selectAll().where('id', '=', id).executeTakeFirst())?.light_state;
const halfMade = async (dataDir: string) =>
  (await readdir(join(dataDir, 'uploads'))).filter((name) => name.endsWith('.made'));

test('prefers uploads, leaves no partial file when stopped, and finishes after a restart', async () => {
  const dataDir = await newFolder();
  const { server, cookie, film, seen } = await making(dataDir);
  ok(await upload({ url: server.url, cookie }, 'video', join(MEDIA, 'good.mp4')));
  expect(seen.ends).toEqual([expect.any(Preempted)]);
  expect(await lightOf(server, film.id)).toBeNull();
  const begun = seen.begun;
  await expect.poll(() => seen.begun, SOON).toBeGreaterThan(begun);
  await server.stop();
  expect(await halfMade(dataDir)).toEqual([]);
  const again = await startServer({ dataDir });
  await expect.poll(() => lightOf(again, film.id), SOON).toBe('made');
  // The other film's light version follows.
  await expect.poll(() => halfMade(dataDir), SOON).toEqual([]);
  await again.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test('leaves nothing if the film is deleted during the conversion', async () => {
  const dataDir = await newFolder();
  const { server, cookie, film, seen } = await making(dataDir);
  ok(await call(server.url, 'DELETE', `/admin/media/video/${film.id}`, undefined, { cookie }));
  ok(await call(server.url, 'DELETE', '/admin/bin', undefined, { cookie }));
  await expect.poll(() => seen.ends.length, SOON).toBe(1);
  await server.stop();
  expect(await halfMade(dataDir)).toEqual([]);
  // Two days later there are no files: no deleted ones, and none without a row.
  let day = 0;
  const later = await startServer({ dataDir, now: () => new Date(Date.now() + day * DAY_MS) });
  for (day = 1; day < 3; day += 1) await sweepMedia(later.deps);
  for await (const key of later.deps.storage.keys()) expect.unreachable(key);
  expect(await later.deps.db.selectFrom('media').select('id').execute()).toEqual([]);
  await later.stop();
  await rm(dataDir, { recursive: true, force: true });
});
