import { once } from 'node:events';
import { readdir, rm, stat } from 'node:fs/promises';
import { type ClientRequest, get, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { spawnBundled } from '../support/bundled.ts';
import { enter, prepareEvening, signUp, store, walkTo } from '../support/http-evening.ts';
import { newFolder, type SpawnedServer, startServer } from '../support/server.ts';
import { announce, arrived, idOf } from '../support/uploads.ts';

describe('server process', () => {
  let folder: string;
  let servers: SpawnedServer[];
  beforeEach(async () => {
    folder = await newFolder();
    servers = [];
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.end('SIGKILL')));
    await rm(folder, { recursive: true, force: true });
  });
  async function spawned(env: Record<string, string> = {}): Promise<SpawnedServer> {
    const server = await spawnBundled({ dataDir: join(folder, 'a/b'), env });
    servers.push(server);
    return server;
  }
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

  test('creates its folder for itself alone, prints its address, and stops on Ctrl+C', async () => {
    const dataDir = join(folder, 'a/b');
    const server = await spawned();
    await expect.poll(() => server.output()).toContain(`La sorpresa si prepara qui: ${server.url}/admin\n`);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await signUp(server);
    expect(await modeOf(dataDir)).toBe(0o700);
    const files = await readdir(dataDir, { recursive: true, withFileTypes: true });
    expect(files.length).toBeGreaterThan(5);
    for (const { parentPath, name } of files)
      expect((await modeOf(join(parentPath, name))) & 0o077, name).toBe(0);
    const again = await spawnBundled({ dataDir }).catch((error: Error) => error.message);
    expect(again).toContain('in use by another process');
    // Ctrl+C signals this process and its parent.
    server.process.kill('SIGINT');
    await expect.poll(() => server.output()).toContain('"msg":"stopping"');
    expect(await server.end('SIGINT')).toBe(0);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  });

  test('is not ready while draining but answers every request, and stops at once on Ctrl+C', async () => {
    const server = await spawned({ DRAIN_SECONDS: '60' });
    const ask = async (path: string) => {
      const { status, headers } = await fetch(`${server.url}${path}`);
      return [status, headers.get('connection')];
    };
    expect(await ask('/readyz')).toEqual([200, 'keep-alive']);
    // As when a whole service is signalled: this process, and its parent, which forwards the signal.
    server.process.kill('SIGTERM');
    await expect.poll(() => server.output()).toContain('"msg":"draining"');
    server.process.kill('SIGTERM');
    expect(await ask('/readyz')).toEqual([503, 'close']);
    expect(await ask('/healthz')).toEqual([200, 'close']);
    expect(await ask('/api/site')).toEqual([200, 'close']);
    expect(server.output()).not.toContain('"msg":"stopping"');
    expect(await server.end('SIGINT')).toBe(0);
  });
});

test('finishes calls when it stops, aborts films and uploads at once, and accepts no new connection', async () => {
  const server = await startServer();
  const { url } = server;
  // Larger than all the buffers between a server and a client that doesn't read.
  const bytes = Readable.from(Array.from({ length: 24 }, () => Buffer.alloc(1024 * 1024)));
  const film = `${url}${(await store(server, 'lungo.mp4', bytes)).url}`;
  const evening = await prepareEvening(server, { video_url: new URL(film).pathname });
  const cookie = await enter(server, evening);
  await walkTo(server, cookie, 'video');
  const films = await Promise.all([cookie, evening.admin].map((owner) => openStalled(film, owner)));
  const to = { url, cookie: evening.admin };
  const id = idOf(await announce(to, 1_000, { slot: 'video', filename: 'film.mp4' }));
  const upload = beginSending(`${url}/api/admin/uploads/${id}`, 'PATCH', 1_000, {
    cookie: evening.admin,
    'tus-resumable': '1.0.0',
    'upload-offset': '0',
    'content-type': 'application/offset+octet-stream',
  });
  upload.write('half');
  await expect.poll(() => arrived(server, id)).toBe(4);
  const { hostname, port } = new URL(url);
  const idle = connect(Number(port), hostname).resume();
  const closed = once(idle, 'close');
  const call = beginSending(`${url}/api/visit/heartbeat`, 'POST', 2, {
    cookie,
    'content-type': 'application/json',
    expect: '100-continue',
  });
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  call.flushHeaders();
  await once(call, 'continue');
  // On this clock the grace period of calls never passes, so it ends no request.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const clock = setInterval(() => vi.advanceTimersByTime(0), 10);
  const stopped = server.stop();
  await closed;
  // The log reports the transfers as aborted while the call is still pending.
  const cut = () => server.logged().match(/"path":"[^"]*(media|uploads)\/[^}]*"cut":true/g)?.length;
  await expect.poll(cut, { timeout: 10_000 }).toBe(3);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  call.end('{}');
  expect((await answered)[0].statusCode).toBe(200);
  await stopped;
  clearInterval(clock);
  // Timers of this clock close the files that stay open for the next reader.
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
  for (const response of films) response.destroy();
  expect(server.logged()).not.toMatch(/"level":(50|60)/);
  // Further stops have no effect.
  await Promise.all([server.stop(), server.stop()]);
});

/** Requests a file and reads nothing of it. */
async function openStalled(address: string, cookie: string): Promise<IncomingMessage> {
  const outgoing = get(address, { headers: { cookie }, agent: false });
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  return response.on('error', () => undefined);
}

/** Creates a request from the site's own pages; the caller sends the body. */
function beginSending(
  address: string,
  method: string,
  length: number,
  headers: Record<string, string>,
): ClientRequest {
  const { origin } = new URL(address);
  const head = { origin, 'content-length': String(length), ...headers };
  return request(address, { method, agent: false, headers: head }).on('error', () => undefined);
}
