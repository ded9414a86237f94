import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Preempted } from '../../src/server/media-worker/worker.ts';
import { ok, signUp } from '../support/http-evening.ts';
import { heavyFilm } from '../support/light-films.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';
import { MEDIA, upload } from '../support/uploads.ts';

/** Interrupted conversions of light films. */

const SOON = { timeout: 60_000 };
let dataDir: string;
beforeAll(async () => {
  dataDir = await newFolder();
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const lightOf = async ({ deps }: TestServer, id: string) =>
  (await deps.db.selectFrom('videos').selectAll().where('id', '=', id).executeTakeFirst())?.light_state;
const halfMade = async () =>
  (await readdir(join(dataDir, 'uploads'))).filter((name) => name.endsWith('.made'));

/** Counts the progress reports of a server's light conversions, and collects the errors that end them. */
function watchLight({ deps: { mediaWorker } }: TestServer): { begun: number; errors: unknown[] } {
  const seen = { begun: 0, errors: [] as unknown[] };
  const { run } = mediaWorker;
  vi.spyOn(mediaWorker, 'run').mockImplementation((work, control) => {
    if (work.task !== 'light') return run(work, control);
    const progress = (share: number) => {
      seen.begun += 1;
      control.progress(share);
    };
    return run(work, { ...control, progress }).catch((error: unknown) => {
      seen.errors.push(error);
      throw error;
    });
  });
  return seen;
}

test('prefers uploads, leaves no partial file when stopped, and finishes after a restart', async () => {
  const film = await heavyFilm(dataDir, { seconds: 5 });
  const server = await startServer({ dataDir });
  const seen = watchLight(server);
  const to = { url: server.url, cookie: await signUp(server) };
  const { item } = ok(await upload(to, 'video', film)).body;
  await expect.poll(() => seen.begun, SOON).toBeGreaterThan(0);
  ok(await upload(to, 'video', join(MEDIA, 'good.mp4')));
  expect(seen.errors).toEqual([expect.any(Preempted)]);
  expect(await lightOf(server, item.id)).toBeNull();
  const { begun } = seen;
  await expect.poll(() => seen.begun, SOON).toBeGreaterThan(begun);
  await server.stop();
  expect(await halfMade()).toEqual([]);
  const again = await startServer({ dataDir });
  await expect.poll(() => lightOf(again, item.id), SOON).toBe('made');
  // The other film's light version follows.
  await expect.poll(halfMade, SOON).toEqual([]);
  await again.stop();
});
