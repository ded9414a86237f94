import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FILE_POLICY } from '../../src/server/http/edge.ts';
import { call } from '../support/http.ts';
import {
  buildCode,
  type Evening,
  enter,
  ok,
  prepareEvening,
  revokeCode,
  store,
  walkTo,
} from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { announce, arrived, idOf, send } from '../support/uploads.ts';

describe('media file', () => {
  /** Sending files, and the access to them. `edge-rules.test.ts` has the rules of ranges and tags. */

  /** Address of a proxy that sends files itself; other addresses are no proxy. */
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

  type RequestOptions = { method?: string; localAddress?: string };
  /** Requests a file without the features of an HTTP client. */
  async function get(path: string, more: Record<string, string> = {}, options: RequestOptions = {}) {
    const headers = { cookie: visitor, ...more };
    const outgoing = httpGet(`${server.url}${path}`, { agent: false, headers, ...options });
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
  }

  test('is sent in the requested part or as a whole', async () => {
    const size = video.length;
    const etag = `"${createHash('sha256').update(video).digest('hex')}"`;
    const head = await get(url, {}, { method: 'HEAD' });
    expect(head.headers).toMatchObject({ 'content-length': String(size), 'accept-ranges': 'bytes', etag });
    expect([head.status, head.body.length]).toEqual([200, 0]);
    const part = await get(url, { range: 'bytes=100-199' });
    expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 100-199/${size}`]);
    expect([part.headers['content-length'], part.body]).toEqual(['100', video.subarray(100, 200)]);
    const { status, headers, body } = await get(url, { range: 'bytes=99999999-' });
    expect([status, headers['content-range'], body.length]).toEqual([416, `bytes */${size}`, 0]);
    expect((await get(url, { range: 'bytes=0-1,5-6' })).body.equals(video)).toBe(true);
    const ifRange = async (tag: string) => (await get(url, { range: 'bytes=0-1', 'if-range': tag })).status;
    expect([await ifRange(etag), await ifRange('"other"')]).toEqual([206, 200]);
    const known = await get(url, { 'if-none-match': etag });
    expect([known.status, known.body.length, known.headers.etag]).toEqual([304, 0, etag]);
  });

  test('has its type, is private and never cached, and shows its name to the administrator only', async () => {
    const { headers } = await get(url);
    expect(headers).toMatchObject({
      'content-type': 'video/mp4',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-disposition': `inline; filename="${evening.media.video.id}.mp4"`,
    });
    expect(headers['content-security-policy']).toMatch(/sandbox/);
    expect(headers['content-encoding']).toBeUndefined();
    const named = await get(url, { cookie: evening.admin });
    expect(named.headers['content-disposition']).toBe('inline; filename="video-3s.mp4"');
  });

  describe('access to a file', () => {
    const status = async (path: string, cookie: string) => (await get(path, { cookie })).status;

    test('is granted to a visit that has reached it or is next to it, and to the administrator, only', async () => {
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
    });

    test('is refused with the same response for a missing file and for another’s', async () => {
      for (const path of [`/api/media/${'0'.repeat(32)}.mp4`, evening.media.tickets_2.url]) {
        const { status: code, body } = await get(path);
        const notFound = { codice: 'NOT_FOUND', messaggio: 'Elemento non trovato.' };
        expect([code, JSON.parse(body.toString())]).toEqual([404, notFound]);
      }
      for (const name of ['', '..%2f..%2fsorpresa.db', '%2e%2e/sorpresa.db', 'a%00.mp4', '%ff%fe.mp4'])
        expect([400, 404]).toContain(await status(`/api/media/${name}`, evening.admin));
    });
  });

  test('is named to a trusted proxy that sends it, without a byte, once access is granted', async () => {
    const byProxy = { localAddress: PROXY };
    const early = await get(url, { cookie: '' }, byProxy);
    expect([early.status, early.headers['x-accel-redirect']]).toEqual([401, undefined]);
    for (const range of ['bytes=0-9', 'bytes=99999999-']) {
      const { status, headers, body } = await get(url, { range }, byProxy);
      const inner = `/_media/${url.split('/').at(-1)}`;
      expect([status, body.length, headers['x-accel-redirect']]).toEqual([200, 0, inner]);
      expect(headers).toMatchObject({
        'content-type': 'video/mp4',
        // nginx closes its connection after an empty response without a length.
        'content-length': '0',
        'cache-control': 'private, no-store',
        'content-security-policy': FILE_POLICY.other,
      });
    }
    const other = await get(url, { range: 'bytes=0-9' }, { localAddress: '127.0.0.3' });
    expect([other.body.length, other.headers['x-accel-redirect']]).toEqual([10, undefined]);
    const missing = await store(server, 'picture.jpg');
    await rm(join(server.deps.env.DATA_DIR, 'media', missing.url.split('/').at(-1) ?? ''));
    const { status, headers } = await get(missing.url, { cookie: evening.admin }, byProxy);
    expect([status, headers['x-accel-redirect']]).toEqual([404, undefined]);
    expect(headers['content-type']).toContain('application/json');
  });
});

describe('running transfer of a file', () => {
  const MB = 1024 * 1024;
  /** Size in MB: larger than all the buffers between a server and a client that doesn't read. */
  const BIG = 24;
  const TICKETS = '/api/rehearsal/tickets/1/biglietti.pdf';

  let server: TestServer;
  let evening: Evening;
  let film: string;
  beforeAll(async () => {
    server = await startServer();
    const big = (nome: string) =>
      store(server, nome, Readable.from(Array.from({ length: BIG }, () => Buffer.alloc(MB, 7))));
    const [video, tickets] = [await big('lungo.mp4'), await big('lungo.pdf')];
    film = video.url;
    const urls = { video_url: film, biglietti_url: tickets.url };
    evening = await prepareEvening(server, { ...urls, keepsake_until: '2100-12-31' });
  });
  afterAll(() => server.stop());

  /** Requests a file and reads nothing of it yet. */
  async function open(path: string, cookie: string): Promise<IncomingMessage> {
    const outgoing = httpGet(`${server.url}${path}`, { headers: { cookie }, agent: false });
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    return response;
  }

  /** Reads the response. Returns if it was complete or cut. */
  async function drain(response: IncomingMessage): Promise<'whole' | 'cut'> {
    try {
      for await (const chunk of response) void chunk;
    } catch {
      return 'cut';
    }
    return response.complete ? 'whole' : 'cut';
  }

  /** Opens files, ends the access to them, and expects the server to abort all of them. */
  async function expectCut(
    files: readonly string[],
    cookie: string,
    end: () => Promise<unknown>,
  ): Promise<void> {
    const cuts = () =>
      server.logged().match(/"path":"\/api\/(?!admin\/uploads)[^}]*"cut":true/g)?.length ?? 0;
    const before = cuts();
    const opened = await Promise.all(files.map((path) => open(path, cookie)));
    await end();
    await expect.poll(cuts).toBe(before + files.length);
    expect(await Promise.all(opened.map(drain))).toEqual(files.map(() => 'cut'));
  }

  const asAdmin = (method: string, path: string, body?: unknown) =>
    call(server.url, method, path, body, { cookie: evening.admin });

  /** Returns the number of descriptors of the film that this process has open. */
  const openFiles = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).endsWith(film.split('/').at(-1) ?? '');
      } catch {
        return false;
      }
    }).length;

  test('is aborted for a visit when its code is revoked or deleted, and when the evening is over', async () => {
    const visitor = async (token = evening.token) => {
      const cookie = await enter(server, { token });
      await walkTo(server, cookie, 'video');
      return cookie;
    };
    const kept = await open(film, await visitor());
    const [revoked, deleted] = [await buildCode(server, evening), await buildCode(server, evening)];
    await expectCut([film], await visitor(revoked), () => revokeCode(server, evening, revoked));
    await expectCut([film], await visitor(deleted), () => asAdmin('DELETE', `/admin/tokens/${deleted.id}`));
    const cookie = await visitor();
    await walkTo(server, cookie, 'closing', 2);
    await expectCut([film], cookie, async () => {
      const completed = ok(await call(server.url, 'POST', '/visit/complete', {}, { cookie }));
      expect(completed.headers.get('clear-site-data')).toBe('"cache"');
    });
    // All readers share one open file, closed a moment after the last of them.
    expect(openFiles()).toBe(1);
    expect(await drain(kept)).toBe('whole');
    await expect.poll(openFiles).toBe(0);
  });

  test('is aborted for a keepsake when it ends', async () => {
    const cookie = await enter(server, evening);
    await walkTo(server, cookie, 'closing', 2);
    const { cookie: kept } = ok(await call(server.url, 'POST', '/visit/complete', {}, { cookie }));
    const { token } = evening.token;
    const opened = ok(await call(server.url, 'POST', '/keepsake/open', { token }, { cookie: kept }));
    await expectCut([film], opened.cookie, async () => {
      const { versione } = ok(await asAdmin('GET', '/admin/config')).body;
      ok(await asAdmin('PATCH', '/admin/config', { versione, fields: { keepsake_until: null } }));
    });
  });

  test('is aborted for a guest of the rehearsal when the pass is revoked or replaced', async () => {
    for (const end of [
      () => asAdmin('DELETE', '/admin/rehearsal/pass'),
      () => asAdmin('POST', '/admin/rehearsal/pass', { anew: true }),
    ]) {
      const { pass } = ok(await asAdmin('POST', '/admin/rehearsal/pass', {})).body;
      const { cookie } = ok(await call(server.url, 'POST', '/rehearsal/enter', { pass }));
      const kept = await open(film, evening.admin);
      await expectCut([film, TICKETS], cookie, end);
      expect(await drain(kept)).toBe('whole');
    }
  });

  test('is aborted for the administrator, also as an upload, after sign-out', async () => {
    const to = { url: server.url, cookie: evening.admin };
    const id = idOf(await announce(to, 1_000, { slot: 'video', filename: 'film.mp4' }));
    const half = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from('half')),
    });
    const cut = expect(send(to, id, 0, half)).rejects.toThrow();
    await expect.poll(() => arrived(server, id)).toBe(4);
    await expectCut([film, TICKETS], evening.admin, async () => {
      await asAdmin('POST', '/auth/sign-out', {});
      await cut;
    });
    expect(server.logged()).not.toMatch(/"level":(50|60)/);
  });
});
