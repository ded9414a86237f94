import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FILE_POLICY } from '../../src/server/http/security-headers.ts';
import { type Evening, enter, prepareEvening, store, walkTo } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** The proxy's address; whoever asks by another one is none. */
const PROXY = '127.0.0.2';

let server: TestServer;
let evening: Evening;
let cookie: string;
beforeAll(async () => {
  server = await startServer({ env: { X_ACCEL_REDIRECT: '/_media/', TRUSTED_PROXIES: PROXY } });
  evening = await prepareEvening(server);
  cookie = await enter(server, evening);
});
afterAll(() => server.stop());

async function ask(url: string, headers: Record<string, string>, localAddress = PROXY) {
  const asked = get(`${server.url}${url}`, { agent: false, localAddress, headers });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let length = 0;
  for await (const chunk of response) length += (chunk as Buffer).length;
  return { status: response.statusCode, headers: response.headers, length };
}

const inner = (url: string) => `/_media/${url.split('/').at(-1)}`;

test('the proxy is told where a film lies once who asks may have it, whatever part it is, and gets no byte of it', async () => {
  const { url } = evening.media.video;
  const early = await ask(url, {});
  expect(early.status).toBeGreaterThanOrEqual(400);
  expect(early.headers['x-accel-redirect']).toBeUndefined();
  await walkTo(server, cookie, 'video');
  for (const range of ['bytes=0-9', 'bytes=99999999-']) {
    const { status, headers, length } = await ask(url, { cookie, range });
    expect([status, length, headers['x-accel-redirect']]).toEqual([200, 0, inner(url)]);
    expect(headers).toMatchObject({
      'content-type': 'video/mp4',
      // nginx closes its connection to us after an answer of which it isn't told that it is empty.
      'content-length': '0',
      'cache-control': 'private, no-store',
      'content-security-policy': FILE_POLICY.other,
    });
  }
});

test('who is no proxy has the bytes from the node, and hears of no other place', async () => {
  await walkTo(server, cookie, 'video');
  const { status, headers, length } = await ask(
    evening.media.video.url,
    { cookie, range: 'bytes=0-9' },
    '127.0.0.3',
  );
  expect([status, length]).toEqual([206, 10]);
  expect(headers['x-accel-redirect']).toBeUndefined();
});

test('a file that is not there is refused in our own words', async () => {
  const { url } = await store(server, 'picture.jpg');
  await rm(join(server.deps.env.DATA_DIR, 'media', url.split('/').at(-1) ?? ''));
  const { status, headers } = await ask(url, { cookie: evening.admin });
  expect([status, headers['x-accel-redirect']]).toEqual([404, undefined]);
  expect(headers['content-type']).toContain('application/json');
});
