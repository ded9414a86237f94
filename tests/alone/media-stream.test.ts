import { readdirSync, readlinkSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mediaKey } from '../../src/server/features/media/media.service.ts';
import { call } from '../support/http.ts';
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

const MB = 1024 * 1024;
const SIZE = 200 * MB;

let server: TestServer;
let evening: Evening;
let film: string;
let key: string;
beforeAll(async () => {
  server = await startServer();
  const megabyte = Buffer.alloc(MB, 7);
  evening = await prepareEvening(server);
  const media = await store(
    server,
    'lungo.mp4',
    Readable.from(Array.from({ length: SIZE / MB }, () => megabyte)),
  );
  film = media.url;
  key = mediaKey({ id: media.id, extension: 'mp4' });
  const { versione } = (await call(server.url, 'GET', '/admin/config', undefined, { cookie: evening.admin }))
    .body;
  await call(
    server.url,
    'PATCH',
    '/admin/config',
    { versione, fields: { video_url: film } },
    { cookie: evening.admin },
  );
});
afterAll(() => server.stop());

function open(cookie: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(`${server.url}${film}`, { headers: { cookie }, agent: false }, resolve).on('error', reject);
  });
}

/** Bytes until the end, however it ends. */
async function drain(response: IncomingMessage): Promise<{ bytes: number; whole: boolean }> {
  let bytes = 0;
  try {
    for await (const chunk of response) bytes += (chunk as Buffer).length;
  } catch {
    return { bytes, whole: false };
  }
  return { bytes, whole: response.complete };
}

/** How often this process has the film open. */
function openFiles(): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith(key);
    } catch {
      return false;
    }
  }).length;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A file is kept open for two seconds after its last reader. */
const CLOSED = { timeout: 10_000 };

/** What is really held, in bytes: garbage that waits for its collector doesn't count. */
function memory(): number {
  collectGarbage();
  const { external, heapUsed } = process.memoryUsage();
  return external + heapUsed;
}

async function visitorOf(token: Evening['token']): Promise<string> {
  const cookie = await enter(server, { token });
  await walkTo(server, cookie, 'video');
  return cookie;
}

describe('streaming', () => {
  test('clients that read nothing hold a little each, and their files are let go when they leave', async () => {
    const cookie = await visitorOf(evening.token);
    const before = memory();
    const stalled = await Promise.all(Array.from({ length: 10 }, () => open(cookie)));
    await expect.poll(() => stalled.every((response) => response.readableLength > 0)).toBe(true);
    // One for all of them.
    expect(openFiles()).toBe(1);
    // A few chunks each, in our buffers and in those of the clients, who live in this process too; the film is 200 MB.
    expect(memory() - before).toBeLessThan(10 * 12 * MB);
    for (const response of stalled) response.destroy();
    await expect.poll(openFiles, CLOSED).toBe(0);
  });
});

describe('a file under way is cut', () => {
  test('when its code is revoked, for its holders only', async () => {
    const token = await buildCode(server, evening);
    const [cut, kept] = await Promise.all([
      open(await visitorOf(token)),
      open(await visitorOf(evening.token)),
    ]);
    await revokeCode(server, evening, token);
    const result = await drain(cut);
    expect(result.whole).toBe(false);
    expect(result.bytes).toBeLessThan(SIZE);
    expect(await drain(kept)).toEqual({ bytes: SIZE, whole: true });
  });

  test('when its code is deleted', async () => {
    const token = await buildCode(server, evening);
    const cut = await open(await visitorOf(token));
    await call(server.url, 'DELETE', `/admin/tokens/${token.id}`, undefined, { cookie: evening.admin });
    expect((await drain(cut)).whole).toBe(false);
  });

  test('when the evening is over', async () => {
    const cookie = await enter(server, evening);
    await walkTo(server, cookie, 'closing', 2);
    const cut = await open(cookie);
    const completed = await call(server.url, 'POST', '/visit/complete', {}, { cookie });
    expect(completed.status).toBe(200);
    expect(completed.headers.get('clear-site-data')).toBe('"cache"');
    await expect.poll(openFiles, CLOSED).toBe(0);
    expect((await drain(cut)).whole).toBe(false);
  });
});
