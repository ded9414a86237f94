import { once } from 'node:events';
import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { type ClientRequest, get, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { spawnBundled } from '../support/bundled.ts';
import { freePort } from '../support/free-port.ts';
import { enter, prepareEvening, signUp, store, walkTo } from '../support/http-evening.ts';
import {
  newFolder,
  type SpawnedServer,
  spawnServer,
  startServer,
  type TestServer,
} from '../support/server.ts';
import { announce, arrived, idOf } from '../support/uploads.ts';

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
  const server = await spawnBundled({ dataDir: dataDir ?? (await folder()), env });
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

  test('keeps what was compiled for itself alone, and starts all the same where that was spoiled', async () => {
    const dataDir = await folder();
    const compiled = join(dataDir, 'compiled');
    // The checks have a folder for what is compiled, which would do.
    const onItsOwn = async () => {
      const server = await spawnServer({ dataDir, through: ['env', '-u', 'NODE_COMPILE_CACHE'] });
      cleanup.push(() => server.end('SIGKILL'));
      return server;
    };
    const first = await onItsOwn();
    await first.end('SIGTERM');
    const files = await readdir(compiled, { recursive: true, withFileTypes: true });
    const kept = files
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    expect(kept.length).toBeGreaterThan(200);
    expect((await stat(compiled)).mode & 0o077).toBe(0);
    for (const path of kept) await writeFile(path, 'spoiled');
    const second = await onItsOwn();
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
    await second.end('SIGTERM');
    const sizes = await Promise.all(kept.map(async (path) => (await stat(path)).size));
    expect(Math.min(...sizes)).toBeGreaterThan('spoiled'.length);
  });

  test('goes on where its own output can’t be written, and stops when asked', async () => {
    const port = String(await freePort());
    const script = `echo "Indirizzo: http://127.0.0.1:${port}"; exec "$@" > /dev/full`;
    const through = ['sh', '-c', script, 'sh'];
    const server = await spawnBundled({ dataDir: await folder(), env: { PORT: port }, through });
    cleanup.push(() => server.end('SIGKILL'));
    const status = () =>
      fetch(`${server.url}/readyz`).then(
        (response) => response.status,
        () => (server.process.exitCode === null ? 'not yet' : 'ended'),
      );
    await expect.poll(status, { timeout: 15_000 }).not.toBe('not yet');
    for (let times = 0; times < 3; times += 1) expect(await status()).toBe(200);
    expect(await server.end('SIGTERM')).toBe(0);
  });

  test('stops in order when it is told twice, as by Ctrl+C and by whoever started it', async () => {
    const server = await spawned();
    server.process.kill('SIGINT');
    await expect.poll(() => server.output()).toContain('"msg":"stopping"');
    expect(await server.end('SIGINT')).toBe(0);
  });

  describe('that drains', () => {
    const drained = async (seconds: string) => {
      const server = await spawned({ DRAIN_SECONDS: seconds });
      const ask = async (path: string) => {
        const { status, headers } = await fetch(`${server.url}${path}`);
        return { status, connection: headers.get('connection') };
      };
      return { server, ask };
    };

    test('is not ready, but answers everybody once more, and stops at once when Ctrl+C is pressed', async () => {
      const { server, ask } = await drained('60');
      expect(await ask('/readyz')).toEqual({ status: 200, connection: 'keep-alive' });
      // As where a whole service is told: this process, and the one that started it and hands it on.
      server.process.kill('SIGTERM');
      await expect.poll(() => server.output()).toContain('"msg":"draining"');
      server.process.kill('SIGTERM');
      expect(await ask('/readyz')).toEqual({ status: 503, connection: 'close' });
      expect(await ask('/healthz')).toEqual({ status: 200, connection: 'close' });
      expect(await ask('/api/site')).toEqual({ status: 200, connection: 'close' });
      expect(server.output()).not.toContain('"msg":"stopping"');
      expect(await server.end('SIGINT')).toBe(0);
    });

    test('stops at once when it is told again', async () => {
      const { server } = await drained('60');
      const ended = once(server.process, 'exit');
      const again = setInterval(() => server.process.kill('SIGTERM'), 100);
      expect(await ended).toEqual([0, null]);
      clearInterval(again);
    });

    test('stops by itself when its time is over', async () => {
      const { server, ask } = await drained('1');
      server.process.kill('SIGTERM');
      await expect.poll(() => server.output()).toContain('"msg":"draining"');
      const ended = once(server.process, 'exit');
      expect((await ask('/healthz')).status).toBe(200);
      expect(await ended).toEqual([0, null]);
    });
  });

  test('shuts a folder that others may look into, and what it writes is for its user alone', async () => {
    const dataDir = await folder();
    await chmod(dataDir, 0o755);
    const server = await spawned({}, dataDir);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    await signUp(server);
    const files = await readdir(dataDir, { recursive: true, withFileTypes: true });
    expect(files.length).toBeGreaterThan(5);
    for (const { parentPath, name } of files)
      expect((await stat(join(parentPath, name))).mode & 0o077, name).toBe(0);
  });

  test('does not start in a folder that everybody shares, and says what to do', async () => {
    const dataDir = await folder();
    await chmod(dataDir, 0o1777);
    const failure = await spawnBundled({ dataDir }).catch((error: Error) => error.message);
    expect(failure).toContain(`chmod 700 ${dataDir}`);
    expect(failure).not.toContain('    at ');
    expect(await readdir(dataDir)).toEqual([]);
  });

  test('does not start with a wrong setting, and says which it is without a stack', async () => {
    const failure = await spawnBundled({ dataDir: await folder(), env: { PORT: 'abc' } }).catch(
      (error: Error) => error.message,
    );
    expect(failure).toContain('PORT: ');
    expect(failure).not.toContain('    at ');
  });

  const spoilt: [string, (file: string) => Promise<unknown>, RegExp][] = [
    ['a folder', (file) => mkdir(file), /must be a file/],
    ['no database', (file) => writeFile(file, 'Not a database. '.repeat(1_000)), /restore a backup/],
  ];
  test.each(spoilt)('says that its database is %s, and what to do', async (_what, spoil, remedy) => {
    const dataDir = await folder();
    await spoil(join(dataDir, 'sorpresa.db'));
    const failure = await spawnBundled({ dataDir }).catch((error: Error) => error.message);
    expect(failure).toContain(`The database ${join(dataDir, 'sorpresa.db')} can't be opened`);
    expect(failure).toMatch(remedy);
    expect(failure).not.toContain('    at ');
  });

  test('says which PostgreSQL it is that doesn’t answer, without its password', async () => {
    const env = { DATABASE_URL: 'postgres://anna:segreto@127.0.0.1:1/sorpresa' };
    const failure = await spawnBundled({ dataDir: await folder(), env }).catch(
      (error: Error) => error.message,
    );
    expect(failure).toContain("The database 127.0.0.1:1/sorpresa of DATABASE_URL can't be opened");
    expect(failure).not.toMatch(/segreto| {4}at /);
  });

  test('does not start twice on one folder, nor on a port that is taken', async () => {
    const dataDir = await folder();
    const server = await spawned({}, dataDir);
    const again = await spawnBundled({ dataDir }).catch((error: Error) => error.message);
    expect(again).toContain('in use by another process');
    const port = new URL(server.url).port;
    const taken = await spawnBundled({ dataDir: await folder(), env: { PORT: port } }).catch(
      (error: Error) => error.message,
    );
    expect(taken).toContain('EADDRINUSE');
  });
});

describe('a server that stops', () => {
  test('finishes the calls under way, cuts films and uploads at once, and lets nobody else in', async () => {
    const server = await startServer();
    const { url } = server;
    const film = `${url}${(await bigFilm(server)).url}`;
    const evening = await prepareEvening(server, { video_url: new URL(film).pathname });
    const cookie = await enter(server, evening);
    await walkTo(server, cookie, 'video');
    const films = await Promise.all([cookie, evening.admin].map((who) => openStalled(film, who)));
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

    // The time that calls are given never passes here: nothing but themselves ends what is under way.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const clock = setInterval(() => vi.advanceTimersByTime(0), 10);
    const stopped = server.stop();
    await closed;
    // Their lines in the log say that they are over, while the call is still waited for.
    const cut = () => server.logged().match(/"path":"[^"]*(media|uploads)\/[^}]*"cut":true/g)?.length;
    await expect.poll(cut, { timeout: 10_000 }).toBe(3);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    call.end('{}');
    expect((await answered)[0].statusCode).toBe(200);
    await stopped;
    clearInterval(clock);
    // The files that were kept open for the next reader are closed by timers of this clock.
    vi.runOnlyPendingTimers();
    vi.useRealTimers();
    for (const response of films) response.destroy();
    expect(server.logged()).not.toMatch(/"level":(50|60)/);
  });
});

/** More than all the buffers between a server and a client who doesn't read. */
const bigFilm = (server: TestServer) =>
  store(server, 'lungo.mp4', Readable.from(Array.from({ length: 40 }, () => Buffer.alloc(1024 * 1024))));

/** Asks for a file and reads nothing of it. */
async function openStalled(address: string, cookie: string): Promise<IncomingMessage> {
  const asked = get(address, { headers: { cookie }, agent: false });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  return response.on('error', () => undefined);
}

/** The head of a request from our own pages; its body is the caller's to send. */
function beginSending(
  address: string,
  method: string,
  length: number,
  headers: Record<string, string>,
): ClientRequest {
  const { origin } = new URL(address);
  const sent = request(address, {
    method,
    agent: false,
    headers: { origin, 'content-length': String(length), ...headers },
  });
  return sent.on('error', () => undefined);
}
