import { rm, stat } from 'node:fs/promises';
import { get, request } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { call } from '../support/http.ts';
import { enter, prepareEvening, store, walkTo } from '../support/http-evening.ts';
import { newFolder, type SpawnedServer, spawnServer, startServer } from '../support/server.ts';

const cleanup: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const undo of cleanup.splice(0).toReversed()) await undo();
});

async function folder(): Promise<string> {
  const made = await newFolder();
  cleanup.push(() => rm(made, { recursive: true, force: true }));
  return made;
}

async function spawned(env: Record<string, string> = {}, dataDir?: string): Promise<SpawnedServer> {
  const server = await spawnServer({ dataDir: dataDir ?? (await folder()), env });
  cleanup.push(() => server.end('SIGKILL'));
  return server;
}

describe('the process', () => {
  test('makes its data folder for itself alone, says where it is, and stops when asked', async () => {
    const dataDir = `${await folder()}/a/b`;
    const server = await spawned({}, dataDir);
    await expect.poll(() => server.output()).toContain(`La sorpresa si prepara qui: ${server.url}/admin\n`);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect(await server.end('SIGTERM')).toBe(0);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  });

  test('stops on SIGINT too, and starts again on the same folder', async () => {
    const dataDir = await folder();
    const first = await spawned({}, dataDir);
    expect(await first.end('SIGINT')).toBe(0);
    const second = await spawned({}, dataDir);
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
  });

  const wrong: [string, string][] = [
    ['PORT', 'abc'],
    ['PORT', '70000'],
    ['PUBLIC_URL', 'sorpresa.example'],
    ['PUBLIC_URL', 'https://sorpresa.example/path'],
    ['DATABASE_URL', 'mysql://x'],
    ['TRUSTED_PROXIES', '10.0.0.0/99'],
    ['REGISTRATION', 'closed'],
    ['LOG_LEVEL', 'loud'],
  ];
  test.each(wrong)('does not start with %s=%s, and says which it is without a stack', async (name, value) => {
    const failure = await spawnServer({ dataDir: await folder(), env: { [name]: value } }).catch(
      (error: Error) => error.message,
    );
    expect(failure).toContain(`${name}: `);
    expect(failure).not.toContain('    at ');
  });

  test('does not start twice on one folder, nor on a port that is taken', async () => {
    const dataDir = await folder();
    const server = await spawned({}, dataDir);
    const again = await spawnServer({ dataDir }).catch((error: Error) => error.message);
    expect(again).toContain('in use by another process');
    const port = new URL(server.url).port;
    const taken = await spawnServer({ dataDir: await folder(), env: { PORT: port } }).catch(
      (error: Error) => error.message,
    );
    expect(taken).toContain('EADDRINUSE');
  });
});

describe('a server that stops', () => {
  test('finishes what is under way and lets nobody else in', async () => {
    const server = await startServer();
    const evening = await prepareEvening(server);
    const { url } = server;
    const cookie = await enter(server, evening);
    await walkTo(server, cookie, 'video');
    const opened = Promise.withResolvers<void>();
    const finished = new Promise<number>((resolve, reject) => {
      get(`${url}${evening.media.video.url}`, { headers: { cookie } }, (response) => {
        let bytes = 0;
        opened.resolve();
        response.on('data', (chunk: Buffer) => (bytes += chunk.length));
        response.on('end', () => resolve(bytes));
        response.on('error', reject);
      }).on('error', reject);
    });
    // A call whose body is still on its way when the server is asked to stop.
    const late = request(`${url}/api/visit/heartbeat`, {
      method: 'POST',
      headers: {
        cookie,
        origin: new URL(url).origin,
        'content-type': 'application/json',
        'content-length': 2,
      },
    });
    const lateStatus = new Promise<number | undefined>((resolve, reject) => {
      late.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
    });
    late.write('{');
    await opened.promise;
    await call(url, 'GET', '/site');
    const stopped = server.stop();
    await expect
      .poll(() =>
        fetch(`${url}/healthz`).then(
          () => 'in',
          () => 'out',
        ),
      )
      .toBe('out');
    late.end('}');
    expect(await lateStatus).toBe(200);
    expect(await finished).toBe(evening.media.video.size);
    await stopped;
  });

  test('does not wait for ever: idle connections are closed at once, stuck ones after ten seconds', async () => {
    const server = await startServer();
    const evening = await prepareEvening(server);
    const big = await store(
      server,
      'lungo.mp4',
      Readable.from(Array.from({ length: 40 }, () => Buffer.alloc(1024 * 1024))),
    );
    const { hostname, port } = new URL(server.url);
    const idle = connect(Number(port), hostname);
    const stuck = connect(Number(port), hostname, () => {
      stuck.pause();
      stuck.write(`GET ${big.url} HTTP/1.1\r\nHost: x\r\nCookie: ${evening.admin}\r\n\r\n`);
    });
    for (const socket of [idle, stuck]) socket.on('error', () => undefined);
    await new Promise((resolve) => stuck.once('readable', resolve));
    const began = performance.now();
    await server.stop();
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(9_000);
    expect(took).toBeLessThan(13_000);
    idle.destroy();
    stuck.destroy();
  });
});
