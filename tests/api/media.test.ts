import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { createServer, get as httpGet, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILE_POLICY } from '../../src/server/http/security-headers.ts';
import { sendStream } from '../../src/server/http/send.ts';
import { sendFile } from '../../src/server/http/send-file.ts';
import {
  buildCode,
  type Evening,
  enter,
  prepareEvening,
  revokeCode,
  store,
  walkTo,
} from '../support/http-evening.ts';
import { left } from '../support/left.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** How a file is sent, and to whom. The rules of ranges and tags: `edge-rules.test.ts`. */

/** The address of a proxy that sends files itself; whoever asks by another one is none. */
const PROXY = '127.0.0.2';

let server: TestServer;
let evening: Evening;
let visitor: string;
let video: Buffer;
let url: string;
beforeAll(async () => {
  server = await startServer({ env: { X_ACCEL_REDIRECT: '/_media/', TRUSTED_PROXIES: PROXY } });
  evening = await prepareEvening(server);
  ({ url } = evening.media.video);
  visitor = await enter(server, evening);
  await walkTo(server, visitor, 'video');
  video = await readFile(join(import.meta.dirname, '../fixtures/video-3s.mp4'));
});
afterAll(() => server.stop());

type Asking = { method?: string; localAddress?: string; cookie?: string };
/** Asks for a file without any client's help. */
async function get(path: string, headers: Record<string, string> = {}, asking: Asking = {}) {
  const { cookie = visitor, ...options } = asking;
  const asked = httpGet(`${server.url}${path}`, {
    agent: false,
    headers: { cookie, ...headers },
    ...options,
  });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

test('is sent in the part that is asked for, or whole', async () => {
  const size = video.length;
  const etag = `"${createHash('sha256').update(video).digest('hex')}"`;
  const head = await get(url, {}, { method: 'HEAD' });
  expect(head.headers).toMatchObject({ 'content-length': String(size), 'accept-ranges': 'bytes', etag });
  expect([head.status, head.body.length]).toEqual([200, 0]);
  for (const [range, start, end] of [
    ['bytes=100-199', 100, 199],
    ['bytes=-500', size - 500, size - 1],
    ['bytes=0-99999999999', 0, size - 1],
    ['BYTES=5-6', 5, 6],
    ['bytes = 5 - 6', 5, 6],
  ] as const) {
    const { status, headers, body } = await get(url, { range });
    expect([status, headers['content-range']]).toEqual([206, `bytes ${start}-${end}/${size}`]);
    expect(headers['content-length']).toBe(String(end - start + 1));
    expect(body.equals(video.subarray(start, end + 1))).toBe(true);
  }
  for (const range of ['bytes=99999999-', 'bytes=99999999-100000000']) {
    const { status, headers, body } = await get(url, { range });
    expect([status, headers['content-range'], body.length]).toEqual([416, `bytes */${size}`, 0]);
  }
  const many = `bytes=${Array.from({ length: 1_000 }, (_, i) => `${i}-${i}`).join(',')}`;
  const ignored = ['bytes=a-b', 'bytes=--5', 'bytes=1-2-3', 'lines=0-1', 'bytes', '0-1', 'bytes=0x0-0x1'];
  for (const range of [many, ...ignored, 'bytes=99999999999999999999-'])
    expect((await get(url, { range })).body.equals(video), range).toBe(true);
  const ifRange = async (tag: string) => (await get(url, { range: 'bytes=0-1', 'if-range': tag })).status;
  expect(await ifRange(etag)).toBe(206);
  for (const other of ['"other"', `W/${etag}`, 'Fri, 20 Nov 2026 10:00:00 GMT', ''])
    expect(await ifRange(other), other).toBe(200);
  for (const known of [etag, `W/${etag}`]) {
    const { status, headers, body } = await get(url, { 'if-none-match': known });
    expect([status, body.length, headers.etag]).toEqual([304, 0, etag]);
  }
  expect((await get(url, { 'if-none-match': '"x"' })).status).toBe(200);
});

test('has its type, is private, never kept, and tells its name to the administrator alone', async () => {
  const { headers } = await get(url);
  expect(headers).toMatchObject({
    'content-type': 'video/mp4',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-disposition': `inline; filename="${evening.media.video.id}.mp4"`,
  });
  expect(headers['content-security-policy']).toMatch(/sandbox/);
  expect(headers['content-encoding']).toBeUndefined();
  const name = 'Pàrigi "2026"\r\nSet-Cookie: a=b; .jpg';
  const media = await store(server, name, Readable.from([Buffer.from('x')]));
  const named = await get(media.url, {}, { cookie: evening.admin });
  expect(named.headers['content-disposition']).toBe(
    `inline; filename="P_rigi _2026_Set-Cookie: a=b_ .jpg"; filename*=UTF-8''P%C3%A0rigi%20%222026%22Set-Cookie%3A%20a%3Db%3B%20.jpg`,
  );
  expect(named.headers['set-cookie']).toBeUndefined();
});

describe('who may have it', () => {
  const status = async (path: string, cookie: string) => (await get(path, {}, { cookie })).status;

  test('a visit that has reached it or is next to it; the administrator; nobody else', async () => {
    const { media } = evening;
    const reached = await Promise.all(
      [media.video, media.picture, media.tickets].map((file) => status(file.url, visitor)),
    );
    expect(reached).toEqual([200, 404, 404]);
    for (const file of Object.values(media)) {
      expect(await status(file.url, evening.admin)).toBe(200);
      for (const cookie of ['', `sid=${randomBytes(32).toString('base64url')}`])
        expect(await status(file.url, cookie)).toBe(401);
    }
    const further = await enter(server, evening);
    await walkTo(server, further, 'phrases');
    expect([await status(media.picture.url, further), await status(media.song.url, further)]).toEqual([
      200, 200,
    ]);
  });

  test('nobody where there is none, by the same answer as where it is another’s', async () => {
    const answers = [
      `/api/media/${'0'.repeat(32)}.mp4`,
      evening.media.tickets_2.url,
      url.replace('mp4', 'pdf'),
    ];
    for (const path of answers) {
      const { status: code, body } = await get(path);
      const notFound = { codice: 'NOT_FOUND', messaggio: 'Elemento non trovato.' };
      expect([code, JSON.parse(body.toString())]).toEqual([404, notFound]);
    }
    const tricks = [
      ['/api/media/', '/api/media/..%2f..%2fsorpresa.db', '/api/media/../../sorpresa.db', '/api/media/%'],
      ['/api/media/%2e%2e/%2e%2e/sorpresa.db', '/api/media/..%5c..%5csorpresa.db', '/api//media/x.mp4'],
      ['/api/media//etc/passwd', '/api/media/a%00.mp4', '/api/media/%ff%fe.mp4'],
      [`/api/media/${'a'.repeat(8000)}.mp4`],
    ].flat();
    for (const path of tricks)
      for (const cookie of [visitor, evening.admin]) expect([400, 404]).toContain(await status(path, cookie));
  });

  test('nobody with a code that was switched off', async () => {
    const token = await buildCode(server, evening);
    const cookie = await enter(server, { token });
    await walkTo(server, cookie, 'video');
    expect(await status(url, cookie)).toBe(200);
    await revokeCode(server, evening, token);
    const refused = await get(url, {}, { cookie });
    expect(refused.status).toBe(403);
    expect(JSON.parse(refused.body.toString()).messaggio).toBe("Sei stato disconnesso dall'amministratore");
  });
});

test('is named to a trusted proxy that sends it, without a byte, once who asks may have it', async () => {
  const byProxy = { localAddress: PROXY };
  const early = await get(url, {}, { ...byProxy, cookie: '' });
  expect([early.status, early.headers['x-accel-redirect']]).toEqual([401, undefined]);
  for (const range of ['bytes=0-9', 'bytes=99999999-']) {
    const { status, headers, body } = await get(url, { range }, byProxy);
    const inner = `/_media/${url.split('/').at(-1)}`;
    expect([status, body.length, headers['x-accel-redirect']]).toEqual([200, 0, inner]);
    expect(headers).toMatchObject({
      'content-type': 'video/mp4',
      // nginx closes its connection to us after an answer of which it isn't told that it is empty.
      'content-length': '0',
      'cache-control': 'private, no-store',
      'content-security-policy': FILE_POLICY.other,
    });
  }
  const other = await get(url, { range: 'bytes=0-9' }, { localAddress: '127.0.0.3' });
  expect([other.status, other.body.length, other.headers['x-accel-redirect']]).toEqual([206, 10, undefined]);
  const gone = await store(server, 'picture.jpg');
  await rm(join(server.deps.env.DATA_DIR, 'media', gone.url.split('/').at(-1) ?? ''));
  const { status, headers } = await get(gone.url, {}, { ...byProxy, cookie: evening.admin });
  expect([status, headers['x-accel-redirect']]).toEqual([404, undefined]);
  expect(headers['content-type']).toContain('application/json');
});

describe('a client that leaves', () => {
  const SIZE = 3 * 1024 ** 2;
  const fileOf = (open: () => Promise<unknown>) =>
    ({ size: SIZE, etag: '"x"', headers: {}, open }) as Parameters<typeof sendFile>[1];

  test.each(['', 'bytes=5-'])(
    'while the file is opened leaves no open file behind (Range: %s)',
    async (range) => {
      const { storage } = server.deps;
      await storage.put('film.mp4', Readable.from([Buffer.alloc(SIZE, 7)]));
      const counts = { opened: 0, closed: 0, held: 0 };
      const { env } = await left('/api/media/film.mp4');
      if (range !== '') env.incoming.headers.range = range;
      const open = async () => {
        const content = await storage.open('film.mp4');
        counts.opened += 1;
        const close = () => {
          counts.closed += 1;
          content.close();
        };
        return { ...content, close };
      };
      const hold = () => {
        counts.held += 1;
        return () => void (counts.held -= 1);
      };
      await sendFile(env, fileOf(open), hold);
      await expect.poll(() => counts).toEqual({ opened: 1, closed: 1, held: 0 });
    },
  );

  test('before the first byte has its stream closed unread, and its end told', async () => {
    const { env } = await left('/api/admin/logs.csv');
    const content = Readable.from(['a', 'b']);
    const ends: (Error | null)[] = [];
    sendStream(env.outgoing, { status: 200, headers: {} }, content, (error) => ends.push(error));
    expect([content.destroyed, ends]).toEqual([true, [null]]);
  });

  test('while bytes are fetched from elsewhere has them given up', async () => {
    const givenUp = Promise.withResolvers<never>();
    const asked = Promise.withResolvers<void>();
    const read = () => {
      asked.resolve();
      return givenUp.promise;
    };
    const close = () => givenUp.reject(new Error('nobody wants it'));
    const http = createServer((incoming, outgoing) => {
      void sendFile(
        { incoming, outgoing },
        fileOf(async () => ({ read, close })),
        () => () => undefined,
      );
    });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const { port } = http.address() as AddressInfo;
    const client = httpGet({ port, host: '127.0.0.1' }).on('error', () => undefined);
    await asked.promise;
    client.destroy();
    await expect(givenUp.promise).rejects.toThrow('nobody wants it');
    http.close();
  });
});
