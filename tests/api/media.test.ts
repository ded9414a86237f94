import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  buildCode,
  type Evening,
  enter,
  prepareEvening,
  revokeCode,
  store,
  walkTo,
} from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let evening: Evening;
let visitor: string;
let video: Buffer;
beforeAll(async () => {
  server = await startServer();
  evening = await prepareEvening(server);
  visitor = await enter(server, evening);
  await walkTo(server, visitor, 'video');
  video = await readFile(join(import.meta.dirname, '../fixtures/video-3s.mp4'));
});
afterAll(() => server.stop());

/** Asks for a file without any client's help: what is sent is what the table says. */
function get(url: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const asked = request(
        `${server.url}${url}`,
        { method, headers: { cookie: visitor, ...headers } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks),
            }),
          );
          response.on('error', reject);
        },
      );
      asked.on('error', reject);
      asked.end();
    },
  );
}

const etag = () => `"${createHash('sha256').update(video).digest('hex')}"`;

describe('ranges', () => {
  const size = () => video.length;
  const parts: [string, () => [number, number]][] = [
    ['bytes=0-1', () => [0, 1]],
    ['bytes=0-0', () => [0, 0]],
    ['bytes=100-199', () => [100, 199]],
    ['bytes=1000-', () => [1000, size() - 1]],
    ['bytes=0-', () => [0, size() - 1]],
    ['bytes=0-99999999999', () => [0, size() - 1]],
    ['bytes=-500', () => [size() - 500, size() - 1]],
    ['bytes=-99999999999', () => [0, size() - 1]],
    ['BYTES=5-6', () => [5, 6]],
    ['bytes = 5 - 6', () => [5, 6]],
  ];
  test.each(parts)('%s is one part', async (range, expected) => {
    const [start, end] = expected();
    const answer = await get(evening.media.video.url, { range });
    expect(answer.status).toBe(206);
    expect(answer.headers['content-range']).toBe(`bytes ${start}-${end}/${size()}`);
    expect(answer.headers['content-length']).toBe(String(end - start + 1));
    expect(answer.body.equals(video.subarray(start, end + 1))).toBe(true);
  });

  test.each(['bytes=99999999-', 'bytes=99999999-100000000', 'bytes=-0'])(
    '%s is past the end',
    async (range) => {
      const answer = await get(evening.media.video.url, { range });
      expect(answer.status).toBe(416);
      expect(answer.headers['content-range']).toBe(`bytes */${size()}`);
      expect(answer.body.length).toBe(0);
    },
  );

  const ignored = [
    'bytes=0-1,5-6',
    `bytes=${Array.from({ length: 1000 }, (_, i) => `${i}-${i}`).join(',')}`,
    'bytes=6-5',
    'bytes=-',
    'bytes=a-b',
    'bytes=--5',
    'bytes=1-2-3',
    'lines=0-1',
    'bytes',
    '0-1',
    'bytes=0x0-0x1',
    'bytes=99999999999999999999-',
  ];
  test.each(ignored)('%s is answered whole', async (range) => {
    const answer = await get(evening.media.video.url, { range });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-length']).toBe(String(size()));
    expect(answer.body.equals(video)).toBe(true);
  });

  test('a HEAD says the same as a GET and sends nothing', async () => {
    const answer = await get(evening.media.video.url, {}, 'HEAD');
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-length': String(size()),
      'accept-ranges': 'bytes',
      etag: etag(),
    });
    expect(answer.body.length).toBe(0);
  });

  test('If-Range holds for the very same file only', async () => {
    const range = 'bytes=0-1';
    expect((await get(evening.media.video.url, { range, 'if-range': etag() })).status).toBe(206);
    for (const other of ['"other"', `W/${etag()}`, 'Fri, 20 Nov 2026 10:00:00 GMT', '']) {
      const answer = await get(evening.media.video.url, { range, 'if-range': other });
      expect(answer.status, other).toBe(200);
      expect(answer.body.length).toBe(size());
    }
  });

  test('If-None-Match answers 304 without a body', async () => {
    for (const known of [etag(), `"x", ${etag()}`, `W/${etag()}`, '*']) {
      const answer = await get(evening.media.video.url, { 'if-none-match': known });
      expect([answer.status, answer.body.length, answer.headers.etag]).toEqual([304, 0, etag()]);
    }
    expect((await get(evening.media.video.url, { 'if-none-match': '"x"' })).status).toBe(200);
  });
});

describe('headers of a file', () => {
  test('its type, private and never kept, opened in a sandbox, without the name it was uploaded with', async () => {
    const { headers } = await get(evening.media.video.url);
    expect(headers['content-type']).toBe('video/mp4');
    expect(headers['cache-control']).toBe('private, no-store');
    expect(headers['content-security-policy']).toMatch(/sandbox/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-disposition']).toBe(`inline; filename="${evening.media.video.id}.mp4"`);
    expect(headers['content-encoding']).toBeUndefined();
  });

  test('the administrator is told the name; nothing in it can break the header', async () => {
    const name = 'Pàrigi "2026"\r\nSet-Cookie: a=b; .jpg';
    const media = await store(server, name, Readable.from([Buffer.from('x')]));
    const { headers } = await get(media.url, { cookie: evening.admin });
    expect(headers['content-disposition']).toBe(
      `inline; filename="P_rigi _2026_Set-Cookie: a=b_ .jpg"; filename*=UTF-8''P%C3%A0rigi%20%222026%22Set-Cookie%3A%20a%3Db%3B%20.jpg`,
    );
    expect(headers['set-cookie']).toBeUndefined();
  });
});

describe('who may have a file', () => {
  const status = async (url: string, cookie: string) => (await get(url, { cookie })).status;

  test('a visit that has reached it or whose next stage shows it; the administrator; nobody else', async () => {
    const { media } = evening;
    expect(await status(media.video.url, visitor)).toBe(200);
    expect(await status(media.picture.url, visitor)).toBe(404);
    expect(await status(media.tickets.url, visitor)).toBe(404);
    for (const { url } of Object.values(media)) {
      expect(await status(url, evening.admin)).toBe(200);
      expect(await status(url, '')).toBe(401);
      expect(await status(url, `sid=${randomBytes(32).toString('base64url')}`)).toBe(401);
    }
    const further = await enter(server, evening);
    await walkTo(server, further, 'phrases');
    expect(await status(media.picture.url, further)).toBe(200);
    expect(await status(media.song.url, further)).toBe(200);
  });

  test('an id that does not exist and one that is not theirs are the same 404', async () => {
    const nowhere = await get(`/api/media/${'0'.repeat(32)}.mp4`);
    const foreign = await get(evening.media.tickets_2.url);
    expect(nowhere.status).toBe(404);
    expect(foreign.status).toBe(404);
    expect(nowhere.body.toString()).toBe(foreign.body.toString());
    expect(JSON.parse(nowhere.body.toString())).toEqual({
      codice: 'NOT_FOUND',
      messaggio: 'Elemento non trovato.',
    });
  });

  test('another extension is another file', async () => {
    expect(await status(evening.media.video.url.replace('.mp4', '.pdf'), visitor)).toBe(404);
  });

  const tricks = [
    '/api/media/',
    '/api/media/..%2f..%2fsorpresa.db',
    '/api/media/../../sorpresa.db',
    '/api/media/%2e%2e/%2e%2e/sorpresa.db',
    '/api/media/..%5c..%5csorpresa.db',
    '/api/media//etc/passwd',
    '/api//media/x.mp4',
    '/api/media/a%00.mp4',
    '/api/media/%',
    '/api/media/%ff%fe.mp4',
    `/api/media/${'a'.repeat(8000)}.mp4`,
  ];
  test.each(tricks)('%.40s leads nowhere', async (path) => {
    for (const cookie of [visitor, evening.admin])
      expect([400, 404]).toContain((await get(path, { cookie })).status);
  });

  test('with a code switched off every request is refused', async () => {
    const token = await buildCode(server, evening);
    const cookie = await enter(server, { token });
    await walkTo(server, cookie, 'video');
    expect(await status(evening.media.video.url, cookie)).toBe(200);
    await revokeCode(server, evening, token);
    const refused = await get(evening.media.video.url, { cookie });
    expect(refused.status).toBe(403);
    expect(JSON.parse(refused.body.toString()).messaggio).toBe("Sei stato disconnesso dall'amministratore");
  });
});
