import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildCode, enter, revokeCode, walkTo } from '../support/http-evening.ts';
import { longFilm, type Nodes, startNodes } from './nodes.ts';

const MIB = 1024 ** 2;
/** Size of the film, in MiB. */
const FILM = 16;

let nodes: Nodes<string>;
let admin: string;
let cookie: string;
beforeAll(async () => {
  nodes = await startNodes({
    proxy: 'nginx',
    env: { X_ACCEL_REDIRECT: '/_media/', LOG_LEVEL: 'warn' },
    prepare: (before, evening) => longFilm(before, evening, FILM),
  });
  admin = await nodes.signIn();
  const token = await buildCode(nodes, { admin });
  cookie = await enter(nodes, { token });
  await walkTo(nodes, cookie, 'video');
});
afterAll(() => nodes?.stop());

async function ask(address: string, headers: Record<string, string> = {}, more: object = {}) {
  const response = await fetch(address, { headers, ...more });
  const { status } = response;
  return { status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

test('lets nginx send a film, whole and in parts, to a permitted visitor', async () => {
  const address = `${nodes.url}${nodes.prepared}`;
  const part = await ask(address, { cookie, range: `bytes=${5 * MIB - 2}-${5 * MIB + 1}` });
  expect([part.status, [...part.bytes]]).toEqual([206, [4, 4, 5, 5]]);
  expect((await ask(address, { cookie })).bytes.length).toBe(FILM * MIB);
  expect((await ask(address, { cookie, range: 'bytes=99999999-' })).status).toBe(416);
  // Sent by nginx: the node's ETag would be the hash of the bytes.
  expect(part.headers.get('etag')).toMatch(/^"[0-9a-f]+-[0-9a-f]+"$/);
});

test('refuses other clients, and hides the internal address', async () => {
  const token = await buildCode(nodes, { admin });
  const other = await enter(nodes, { token });
  const address = `${nodes.url}${nodes.prepared}`;
  const refused = async (of: Record<string, string>, where = address) => {
    const { status, bytes } = await ask(where, of);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(bytes.length).toBeLessThan(1_000);
  };
  await refused({});
  await refused({ cookie: other }, `${nodes.url}${nodes.evening.media.picture.url}`);
  await walkTo(nodes, other, 'video');
  expect((await ask(address, { cookie: other, range: 'bytes=0-0' })).status).toBe(206);
  await revokeCode(nodes, { admin }, token);
  await refused({ cookie: other });
  const path = `/_media/${nodes.prepared.split('/').at(-1)}`;
  expect((await ask(`${nodes.url}${path}`, { cookie })).status).toBe(404);
});

test('passes the node’s headers of a file through nginx', async () => {
  const { picture, tickets } = nodes.evening.media;
  // A client that isn't one of our proxies receives the bytes from the node.
  const stranger = { dispatcher: nodes.front.agent({ localAddress: '127.0.0.5' }) };
  for (const { url } of [picture, tickets, { url: nodes.prepared }]) {
    const through = await ask(`${nodes.url}${url}`, { cookie: admin });
    const node = await ask(`${nodes.inside[0]}${url}`, { cookie: admin }, stranger);
    expect(node.headers.get('x-accel-redirect')).toBeNull();
    expect([through.status, through.bytes.equals(node.bytes)]).toEqual([200, true]);
    for (const name of KEPT)
      expect(through.headers.get(name), `${name} of ${url}`).toBe(node.headers.get(name));
  }
});

const KEPT = [
  'content-type',
  'content-disposition',
  'content-security-policy',
  'cache-control',
  'x-content-type-options',
  'strict-transport-security',
];
