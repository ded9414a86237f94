import { createHash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { RENDITION_NAMES } from '../../src/domain/renditions.ts';
import { companionId } from '../../src/server/features/media/companion.ts';
import { sweepMedia } from '../../src/server/features/media/media.sweeper.ts';
import { call } from '../support/http.ts';
import { enter, ok, walkTo } from '../support/http-evening.ts';
import { useEvening } from '../support/suites.ts';
import { announce, idOf, upload } from '../support/uploads.ts';

const { server, evening } = useEvening();
const to = () => ({ url: server.url, cookie: evening.admin });

const CHROMIUM = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
const SAFARI_16 = 'image/webp,image/avif,video/*;q=0.8,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5';
const OLD = 'image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5';

const PICTURE = join(import.meta.dirname, '../fixtures/picture.jpg');

/** So large that there are narrower ones, and so smooth that every format is lighter than the one before. */
const photo = () => sharp(PICTURE).resize(1_300, 300).jpeg({ quality: 95 }).toBuffer();

type Picture = { id: string; media: string; url: string };
async function uploaded(bytes: Buffer): Promise<Picture> {
  const { body } = await upload(to(), 'immagine', bytes);
  expect(body).toMatchObject({ state: 'done' });
  const { id, url } = body.item;
  return { id, url, media: /\w{32}/.exec(url)?.[0] ?? '' };
}

let picture: Picture;
beforeAll(async () => {
  picture = await uploaded(await photo());
});

function get(url: string, headers: Record<string, string> = {}, cookie = evening.admin) {
  return fetch(`${server.url}${url}`, { headers: { cookie, ...headers } });
}

async function seen(response: Response) {
  const bytes = Buffer.from(await response.arrayBuffer());
  const { width, format } = await sharp(bytes).metadata();
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  expect([response.status, response.headers.get('etag')]).toEqual([200, etag]);
  expect(response.headers.get('vary')).toBe('Accept, Cookie');
  return { width, type: response.headers.get('content-type'), format };
}

describe('which size and format is sent', () => {
  const AVIF = { type: 'image/avif', format: 'heif' };
  const WEBP = { type: 'image/webp', format: 'webp' };
  const JPEG = { type: 'image/jpeg', format: 'jpeg' };
  const table: [string, string, object][] = [
    ['?w=720', CHROMIUM, { width: 720, ...AVIF }],
    ['?w=1', CHROMIUM, { width: 720, ...AVIF }],
    ['?w=1080', SAFARI_16, { width: 1_080, ...AVIF }],
    ['?w=720', 'image/webp,*/*', { width: 720, ...WEBP }],
    ['?w=720', 'image/avif;q=0, image/webp;q=0.1', { width: 720, ...WEBP }],
    ['?w=721', OLD, { width: 1_080, ...JPEG }],
    ['?w=720', '', { width: 720, ...JPEG }],
    ['?w=720', ';;,,=;q=x,"', { width: 720, ...JPEG }],
    ['?w=2160', CHROMIUM, { width: 1_300, ...AVIF }],
    ['?w=2160', OLD, { width: 1_300, ...JPEG }],
  ];
  test.each(table)('%s, who reads %s', async (query, accept, expected) => {
    expect(await seen(await get(`${picture.url}${query}`, { accept }))).toEqual(expected);
  });

  test.each(['', '?w=', '?w=0', '?w=-1', '?w=abc', '?w=1e3', '?w=999999', '?w=%00', '?w=7.5', '?W=720'])(
    'the picture itself, where no width is asked for: %s',
    async (query) => {
      const expected = { width: 1_300, ...JPEG };
      expect(await seen(await get(`${picture.url}${query}`, { accept: CHROMIUM }))).toEqual(expected);
    },
  );

  test('a part of one, and that the browser has it already', async () => {
    const url = `${picture.url}?w=720`;
    const whole = await get(url, { accept: CHROMIUM });
    const bytes = Buffer.from(await whole.arrayBuffer());
    const part = await get(url, { accept: CHROMIUM, range: 'bytes=10-19' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20));
    const etag = whole.headers.get('etag') ?? '';
    const known = (accept: string) => get(url, { accept, 'if-none-match': etag });
    expect([(await known(CHROMIUM)).status, (await known(OLD)).status]).toEqual([304, 200]);
  });

  test('a picture that came before there were sizes, and what is no picture, are sent as they are', async () => {
    const { picture: old, video } = evening.media;
    for (const { url, size } of [old, video]) {
      const answer = await get(`${url}?w=720`, { accept: CHROMIUM });
      expect([answer.status, Number(answer.headers.get('content-length'))]).toEqual([200, size]);
      await answer.body?.cancel();
    }
  });

  test('where one is missing from the storage the picture itself is sent, and the log says so', async () => {
    const lost = await uploaded(await photo());
    await server.deps.storage.remove(`${companionId(lost.media, 'w720.avif')}.avif`);
    const answer = await get(`${lost.url}?w=720`, { accept: CHROMIUM });
    expect(await seen(answer)).toMatchObject({ width: 1_300 });
    await expect.poll(() => server.logged()).toContain('a file is missing from the storage');
  });
});

test('who may not have the picture may have none of its sizes; of an evening under way they are looked up once', async () => {
  const { versione } = ok(
    await call(server.url, 'GET', '/admin/config', undefined, { cookie: evening.admin }),
  ).body;
  const fields = { immagine_destinazione_url: picture.url };
  ok(await call(server.url, 'PATCH', '/admin/config', { versione, fields }, { cookie: evening.admin }));
  const visitor = await enter(server, evening);
  const status = async (url: string) => (await get(url, { accept: CHROMIUM }, visitor)).status;
  const url = `${picture.url}?w=720`;
  const beside = `/api/media/${companionId(picture.media, 'w720.avif')}.avif`;
  await walkTo(server, visitor, 'video');
  expect([await status(url), await status(beside)]).toEqual([404, 404]);
  await walkTo(server, visitor, 'destination');
  expect(await seen(await get(url, { accept: CHROMIUM }, visitor))).toMatchObject({ width: 720 });
  expect(await status(beside)).toBe(404);
  expect((await get(url, {}, '')).status).toBe(401);
  const named = await get(url, { accept: CHROMIUM }, visitor);
  expect(named.headers.get('content-disposition')).not.toMatch(/file\.bin/);
});

test('they go with their picture, and stay for the visit that needs it', async () => {
  const gone = await uploaded(await photo());
  const ids = RENDITION_NAMES.map((name) => companionId(gone.media, name));
  const rows = () => server.deps.db.selectFrom('media').selectAll().where('id', 'in', ids).execute();
  const stored = await rows();
  expect(stored.length).toBeGreaterThan(5);
  const visitor = await enter(server, evening);
  await walkTo(server, visitor, 'destination');
  ok(
    await call(server.url, 'DELETE', `/admin/media/immagine/${gone.id}`, undefined, {
      cookie: evening.admin,
    }),
  );
  ok(await call(server.url, 'DELETE', '/admin/bin', undefined, { cookie: evening.admin }));
  expect((await rows()).every(({ deleted_at }) => deleted_at !== null)).toBe(true);
  expect((await get(`${gone.url}?w=720`, { accept: CHROMIUM })).status).toBe(404);
  await sweepMedia(server.deps);
  expect(await rows()).toHaveLength(stored.length);
  expect((await get(`${gone.url}?w=720`, { accept: CHROMIUM }, visitor)).status).toBe(200);
  await walkTo(server, visitor, 'closing', 2);
  await call(server.url, 'POST', '/visit/complete', {}, { cookie: visitor });
  await sweepMedia(server.deps);
  expect(await rows()).toEqual([]);
  for (const { id, extension } of stored)
    expect(await server.deps.storage.size(`${id}.${extension}`)).toBeNull();
});

describe('while they are made', () => {
  test('a picture whose sizes fail is kept all the same, without', async () => {
    const { mediaWorker } = server.deps;
    const failing = async () => {
      throw Object.assign(new Error('broken'), { code: 'EIO' });
    };
    server.deps.mediaWorker = {
      ...mediaWorker,
      do: (work, course) => (work.what === 'renditions' ? failing() : mediaWorker.do(work, course)),
    };
    const kept = await uploaded(await photo()).finally(() => {
      server.deps.mediaWorker = mediaWorker;
    });
    expect(await seen(await get(`${kept.url}?w=720`, { accept: CHROMIUM }))).toMatchObject({ width: 1_300 });
    expect(server.logged()).toContain('a picture is kept without its sizes');
  });

  test('nothing of them is left in the folder, not even of a work that was killed in the middle', async () => {
    const { folder } = server.deps.uploads;
    const id = idOf(await announce(to(), 10, { slot: 'immagine', filename: 'a.jpg' }));
    const many = join(server.deps.env.DATA_DIR, 'uploads', `${id}.many`);
    await mkdir(many);
    await writeFile(join(many, '720.avif'), 'half');
    expect((await folder.entries()).find(({ name }) => name === `${id}.many`)?.id).toBe(id);
    await folder.forget(id);
    expect(await readdir(join(server.deps.env.DATA_DIR, 'uploads'))).toEqual([]);
  });
});
