import { join } from 'node:path';
import { expect, test } from 'vitest';
import { companionId } from '../../src/server/features/media/companion.ts';
import { findBeside } from '../../src/server/features/visit/visit.repo.ts';
import { ffmpeg } from '../support/ffmpeg.ts';
import { call } from '../support/http.ts';
import { newFolder } from '../support/server.ts';
import { useSignedUp } from '../support/suites.ts';
import { MEDIA, upload } from '../support/uploads.ts';

const { server, to } = useSignedUp();

const rowOf = (id: string) =>
  server.deps.db.selectFrom('videos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const untilTried = async (id: string) => {
  await expect.poll(async () => (await rowOf(id)).light_state, { timeout: 30_000 }).not.toBeNull();
  return rowOf(id);
};
const fetched = async (url: string | null) =>
  (await fetch(`${to.url}${url ?? ''}`, { headers: { cookie: to.cookie } })).status;

/** A film of many bits. */
async function heavy(): Promise<string> {
  const path = join(await newFolder(), 'pesante.mp4');
  const picture = 'testsrc2=size=960x720:rate=25:duration=2,noise=alls=60:allf=t';
  await ffmpeg(
    '-f',
    'lavfi',
    '-i',
    picture,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    path,
  );
  return path;
}

test('a film gets a light version afterwards, which goes with it', { timeout: 60_000 }, async () => {
  const { body } = await upload(to, 'video', await heavy());
  const { light_url, light_of, ...row } = await untilTried(body.item.id);
  expect(row).toMatchObject({ light_state: 'made', light_on: true, seconds: expect.closeTo(2, 1) as number });
  expect([light_of, await fetched(light_url)]).toEqual([body.item.url, 200]);
  const media = await server.deps.db.selectFrom('media').selectAll().execute();
  const film = media.find(({ id }) => body.item.url.includes(id));
  const light = media.find(({ id }) => id === companionId(film?.id ?? '', 'light'));
  expect(light?.size).toBeLessThan(0.8 * (film?.size ?? 0));
  const beside = () => findBeside(server.deps.db, body.item.url);
  expect(await beside()).toEqual({
    poster_url: body.item.poster_url,
    light_url,
    captions: null,
    video_bitrate: Math.round(((film?.size ?? 0) * 8) / (row.seconds ?? 0)),
  });
  const change = (to: { light_on: boolean; light_of: string | null }) =>
    server.deps.db.updateTable('videos').set(to).where('id', '=', body.item.id).execute();
  await change({ light_on: false, light_of });
  expect((await beside()).light_url).toBeNull();
  await change({ light_on: true, light_of: '/api/media/another.mp4' });
  expect((await beside()).light_url).toBeNull();
  await call(to.url, 'DELETE', `/admin/media/video/${body.item.id}`, undefined, { cookie: to.cookie });
  expect(await fetched(light_url)).toBe(404);
});

test('one that is light already gets none, and is not tried again', { timeout: 60_000 }, async () => {
  const { body } = await upload(to, 'video', join(MEDIA, 'matroska.mkv'));
  const { light_state, light_url } = await untilTried(body.item.id);
  expect([light_state, light_url]).toEqual(['needless', null]);
});
