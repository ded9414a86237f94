import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { SharingState } from '../../src/contract/admin/site-address.ts';
import { call } from '../support/http.ts';
import { buildCode, ok, signUp, store } from '../support/http-evening.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';
import { type Tunnels, tunnels } from '../support/tunnels.ts';
import { announce, arrived, filmOf, finish, idOf, offsetOf, send } from '../support/uploads.ts';

/** Slow cases of a quick tunnel: many visitors at once, a large file, and a program without output. */

const PATIENT = { timeout: 200_000, interval: 250 };
let programs: Tunnels;
let server: TestServer;
let folder: string;
let address: string;
let admin: string;
let film: Buffer;

const until = (state: SharingState['state']) =>
  vi.waitFor(async () => {
    const now = await server.deps.sharing.read();
    expect(now.state).toBe(state);
    return now;
  }, PATIENT);

beforeAll(async () => {
  // It blocks for seconds, in which idle connections end unnoticed, so it runs before the first request.
  film = await filmOf(500 * 1024 ** 2);
  programs = await tunnels('cloudflared');
  folder = await newFolder();
  server = await startServer({ dataDir: folder });
  admin = await signUp(server);
  const { url } = await store(server, 'video-3s.mp4');
  const fields = { frasi_pre_video: ['Prima'], video_url: url };
  ok(await call(server.url, 'PATCH', '/admin/config', { versione: 0, fields }, { cookie: admin }));
  await server.deps.sharing.start();
  address = (await until('online')).address ?? '';
});
afterAll(async () => {
  await server.deps.sharing.stop();
  await server.stop();
  await programs.end();
});

test('receives a film of 500 MB in chunks, and resumes after a cut connection', async () => {
  const PIECE = 5 * 1024 ** 2;
  const away = ok(
    await call(address, 'POST', '/auth/sign-in/email', {
      email: 'anna@example.org',
      password: 'una frase molto lunga 7',
    }),
  ).cookie;
  const to = { url: address, cookie: away };
  const id = idOf(await announce(to, film.length, { slot: 'video', filename: 'film.mp4' }));
  const cut = new AbortController();
  const sending = send(to, id, 0, film.subarray(0, 60 * 1024 ** 2), { signal: cut.signal });
  await vi.waitFor(async () => expect(await arrived(server, id)).toBeGreaterThan(0), PATIENT);
  cut.abort();
  await expect(sending).rejects.toThrow();
  for (let offset = (await offsetOf(to, id)) ?? 0; offset < film.length; ) {
    const { status } = await send(to, id, offset, film.subarray(offset, offset + PIECE));
    expect(status).toBe(204);
    offset = (await offsetOf(to, id)) ?? 0;
  }
  expect((await finish(to, id)).status).toBe(200);
}, 600_000);

test('admits 60 right codes among 1,200 wrong ones from 40 addresses', async () => {
  const { token } = await buildCode(server, { admin }, { max_accessi: 60 });
  const enter = (visitor: string, code: string) =>
    call(
      address,
      'POST',
      '/access',
      { token: code, device_id: `device-${randomUUID()}`, attempt_id: randomUUID() },
      { headers: { 'x-test-visitor': visitor } },
    );
  const sendWrongCodes = async (n: number) => {
    for (let times = 0; times < 30; times++)
      await enter(`198.51.100.${n}`, `ROM-${randomUUID().slice(0, 8).toUpperCase()}`);
  };
  /** Retries while the server is busy, as the visitor's page does. */
  const enterWithRetries = async (n: number) => {
    await wait(n * 500);
    for (;;) {
      const { status } = await enter(`203.0.113.${n}`, token);
      if (status !== 429 && status !== 503) return status;
      await wait(1_000);
    }
  };
  const entered = Array.from({ length: 60 }, (_, n) => enterWithRetries(n + 1));
  await Promise.all(Array.from({ length: 40 }, (_, n) => sendWrongCodes(n + 1)));
  expect(await Promise.all(entered)).toEqual(Array.from({ length: 60 }, () => 200));
});

test('reports that the program gave no address, and leaves no process', async () => {
  await server.deps.sharing.stop();
  const before = programs.calls().length;
  programs.order({ hangs: true });
  await server.deps.sharing.start();
  expect(await until('trouble')).toMatchObject({ trouble: 'no_address' });
  expect(existsSync(join(folder, 'sharing/tunnel.json'))).toBe(false);
  expect(execFileSync('ps', ['-eo', 'args']).toString()).not.toContain('tunnel-program.mjs cloudflared');
  expect(
    programs
      .calls()
      .slice(before)
      .map((line) => line.includes('--protocol http2')),
  ).toEqual([false, true]);
});
