import { createHash } from 'node:crypto';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { skyHues } from '../../src/domain/hues.ts';
import { RENDITION_NAMES } from '../../src/domain/pictures.ts';
import { companionId } from '../../src/server/features/media/media.ts';
import { sweepMedia } from '../../src/server/features/media/sweep.ts';
import { call } from '../support/http.ts';
import { enter, ok, walkTo } from '../support/http-evening.ts';
import { useEvening } from '../support/suites.ts';
import { upload } from '../support/uploads.ts';

/** Data derived from a picture of a destination: its sizes, its hues, its focus point. */

const { server, evening } = useEvening();
const to = () => ({ url: server.url, cookie: evening.admin });

const CHROMIUM = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
const SAFARI_16 = 'image/webp,image/avif,video/*;q=0.8,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5';
const OLD = 'image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5';

type Picture = { id: string; media: string; url: string; fuoco: unknown };
let small: Buffer;
/** Large enough for narrower sizes, and smooth enough that every format is lighter than the one before. */
let photo: Buffer;
let picture: Picture;
beforeAll(async () => {
  const original = sharp(join(import.meta.dirname, '../fixtures/picture.jpg'));
  photo = await original.clone().resize(1_300, 300).jpeg({ quality: 95 }).toBuffer();
  small = await original.clone().resize(96, 64).jpeg().toBuffer();
  picture = await uploaded(photo);
});

const adminCall = (method: string, path: string, body?: unknown) =>
  call(server.url, method, path, body, { cookie: evening.admin });
async function uploaded(bytes: Buffer, slot = 'immagine'): Promise<Picture> {
  const { item } = ok(await upload(to(), slot, bytes)).body;
  return { ...item, media: /\w{32}/.exec(item.url)?.[0] ?? '' };
}
const get = (url: string, headers: Record<string, string> = {}, cookie = evening.admin) =>
  fetch(`${server.url}${url}`, { headers: { cookie, ...headers } });

async function seen(response: Response) {
  const bytes = Buffer.from(await response.arrayBuffer());
  const { width, format } = await sharp(bytes).metadata();
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  expect([response.status, response.headers.get('etag')]).toEqual([200, etag]);
  expect(response.headers.get('vary')).toBe('Accept, Cookie');
  expect(response.headers.get('content-type')).toBe(`image/${format === 'heif' ? 'avif' : format}`);
  return [width, format];
}
/** Returns a destination's stage as sent to a visit. */
async function shown(cookie: string, viaggio = 1) {
  const { stages, position } = await walkTo(server, cookie, 'destination', viaggio);
  return stages[position.step];
}

describe('size and format of a picture', () => {
  test.each([
    ['?w=1', CHROMIUM, 720, 'heif'],
    ['?w=1080', SAFARI_16, 1_080, 'heif'],
    ['?w=720', 'image/avif;q=0, image/webp;q=0.1', 720, 'webp'],
    ['?w=721', OLD, 1_080, 'jpeg'],
    ['?w=2160', OLD, 1_300, 'jpeg'],
  ])('fits the request: %s for a client that accepts %s', async (query, accept, width, format) => {
    expect(await seen(await get(`${picture.url}${query}`, { accept }))).toEqual([width, format]);
  });

  test('is the picture’s own if no valid width is requested or no sizes are stored', async () => {
    for (const query of ['', '?w=0', '?w=1e3', '?w=999999'])
      expect(await seen(await get(`${picture.url}${query}`, { accept: CHROMIUM }))).toEqual([1_300, 'jpeg']);
    for (const { url, size } of [evening.media.picture, evening.media.video]) {
      const answer = await get(`${url}?w=720`, { accept: CHROMIUM });
      expect([answer.status, Number(answer.headers.get('content-length'))]).toEqual([200, size]);
      await answer.body?.cancel();
    }
    const lost = await uploaded(photo);
    await server.deps.storage.remove(`${companionId(lost.media, 'w720.avif')}.avif`);
    expect(await seen(await get(`${lost.url}?w=720`, { accept: CHROMIUM }))).toEqual([1_300, 'jpeg']);
    await expect.poll(() => server.logged()).toContain('a file is missing from the storage');
  });

  test('is sent with 304 only if the browser has this one already', async () => {
    const url = `${picture.url}?w=720`;
    const whole = await get(url, { accept: CHROMIUM });
    await whole.body?.cancel();
    const etag = whole.headers.get('etag') ?? '';
    const known = async (accept: string) => (await get(url, { accept, 'if-none-match': etag })).status;
    expect([await known(CHROMIUM), await known(OLD)]).toEqual([304, 200]);
  });

  test('requires access to the picture, stays for the visit that needs it, and is deleted with it', async () => {
    const own = await uploaded(photo);
    const ids = RENDITION_NAMES.map((name) => companionId(own.media, name));
    const rows = () => server.deps.db.selectFrom('media').selectAll().where('id', 'in', ids).execute();
    expect((await rows()).length).toBeGreaterThan(5);
    const visitor = await enter(server, evening);
    const url = `${own.url}?w=720`;
    const renditionUrl = `/api/media/${companionId(own.media, 'w720.avif')}.avif`;
    const status = async (path: string, cookie = visitor) =>
      (await get(path, { accept: CHROMIUM }, cookie)).status;
    await walkTo(server, visitor, 'video');
    expect([await status(url), await status(renditionUrl), await status(url, '')]).toEqual([404, 404, 401]);
    await walkTo(server, visitor, 'destination');
    const named = await get(url, { accept: CHROMIUM }, visitor);
    expect(named.headers.get('content-disposition')).not.toMatch(/file\.bin/);
    expect([await seen(named), await status(renditionUrl)]).toEqual([[720, 'heif'], 404]);
    ok(await adminCall('DELETE', `/admin/media/immagine/${own.id}`));
    ok(await adminCall('DELETE', '/admin/bin'));
    expect(await status(url, evening.admin)).toBe(404);
    await sweepMedia(server.deps);
    expect(await status(url)).toBe(200);
    await walkTo(server, visitor, 'closing', 2);
    await call(server.url, 'POST', '/visit/complete', {}, { cookie: visitor });
    await sweepMedia(server.deps);
    expect(await rows()).toEqual([]);
  });

  test('is omitted if creating it fails', async () => {
    const { mediaWorker } = server.deps;
    const { run } = mediaWorker;
    const failing = vi.spyOn(mediaWorker, 'run').mockImplementation((work, course) => {
      const broken = Object.assign(new Error('broken'), { code: 'EIO' });
      return work.task === 'renditions' ? Promise.reject(broken) : run(work, course);
    });
    const { url } = await uploaded(photo).finally(() => failing.mockRestore());
    expect(await seen(await get(`${url}?w=720`, { accept: CHROMIUM }))).toEqual([1_300, 'jpeg']);
  });
});

describe('hues of a picture', () => {
  const listed = async (slot: string, id: string): Promise<string[] | null> =>
    ok(await adminCall('GET', `/admin/media/${slot}`)).body.find((item: { id: string }) => item.id === id)
      ?.hues;
  const untilDrawn = (id: string, slot = 'immagine') =>
    vi.waitUntil(() => listed(slot, id), { timeout: 30_000, interval: 100 });

  test('draws them once the picture is stored, and sends them with its stage to later visits', async () => {
    // A picture that was stored without hues.
    const { versione } = ok(await adminCall('GET', '/admin/config')).body;
    const fields = { immagine_destinazione_url: evening.media.picture.url };
    ok(await adminCall('PATCH', '/admin/config', { versione, fields }));
    const before = await enter(server, evening);
    const [first, second] = [await uploaded(small), await uploaded(small, 'immagine_2')];
    const hues = { first: await untilDrawn(first.id), second: await untilDrawn(second.id, 'immagine_2') };
    expect(hues.first.length).toBeGreaterThan(0);
    const after = await enter(server, evening);
    expect(JSON.stringify(await walkTo(server, after, 'video'))).not.toContain('hues');
    const { stages } = await walkTo(server, after, 'questions');
    const withHues = stages.filter((stage: object) => 'hues' in stage);
    const of = { stage: 'destination', viaggio: 1, hues: skyHues(hues.first) };
    expect(withHues).toEqual([expect.objectContaining(of)]);
    expect((await shown(after, 2)).hues).toEqual(skyHues(hues.second));
    expect((await shown(before)).hues).toBeNull();
    // Missing hues of an older picture are drawn automatically.
    await server.deps.db.updateTable('immagini_destinazione').set({ hues: null }).execute();
    await uploaded(small, 'immagine_2');
    expect(await untilDrawn(first.id)).toEqual(hues.first);
  });
});

describe('focus point', () => {
  const focus = (id: string, fuoco: unknown, slot = 'immagine') =>
    adminCall('POST', `/admin/media/${slot}/${id}/focus`, { fuoco });

  test('is stored with its picture and shown by later visits', async () => {
    const [first, second] = [await uploaded(small), await uploaded(small, 'immagine_2')];
    expect(first.fuoco).toBeNull();
    const before = await enter(server, evening);
    const { items } = ok(await focus(first.id, { x: 0.25, y: 1 })).body;
    expect(items.find(({ id }: Picture) => id === first.id).fuoco).toEqual({ x: 0.25, y: 1 });
    ok(await focus(second.id, { x: 0, y: 0.5 }, 'immagine_2'));
    const after = await enter(server, evening);
    const points = async (viaggio: number) => [
      (await shown(before, viaggio)).fuoco,
      (await shown(after, viaggio)).fuoco,
    ];
    expect(await points(1)).toEqual([null, { x: 0.25, y: 1 }]);
    expect(await points(2)).toEqual([null, { x: 0, y: 0.5 }]);
    ok(await focus(first.id, null));
    expect((await adminCall('GET', '/admin/media/immagine')).body[0].fuoco).toBeNull();
  });
});
