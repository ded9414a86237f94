import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SharingState } from '../../src/contract/admin/site-address.ts';
import { fetchCloudflared } from '../../src/server/features/sharing/tunnels.ts';
import { freePort } from '../support/free-port.ts';
import { call } from '../support/http.ts';
import { buildCode, ok, signUp, store } from '../support/http-evening.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';
import { type Tunnels, tunnels } from '../support/tunnels.ts';

/** Sharing from this computer, through programs that replace the real tunnels (decision 104). */

const ALONE = { timeout: 30_000, interval: 100 };
let folder: string;
let programs: Tunnels;
let server: TestServer;
let admin: string;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await newFolder();
});
afterEach(async () => {
  await sharing('DELETE').catch(() => undefined);
  for (const close of closing.splice(0).toReversed()) await close();
  await rm(folder, { recursive: true, force: true });
});

async function begin(...names: Parameters<typeof tunnels>): Promise<void> {
  programs = await tunnels(...names);
  closing.push(() => programs.end());
  await start();
  admin = await signUp(server);
  const { url } = await store(server, 'video-3s.mp4');
  const fields = { frasi_pre_video: ['Prima'], video_url: url };
  ok(await call(server.url, 'PATCH', '/admin/config', { versione: 0, fields }, { cookie: admin }));
}

async function start(): Promise<void> {
  const started = await startServer({ dataDir: folder });
  server = started;
  closing.push(() => started.stop());
}

async function stop(): Promise<void> {
  await closing.pop()?.();
}

async function sharing(method: string, path = ''): Promise<SharingState> {
  const body = method === 'POST' ? {} : undefined;
  return ok(await call(server.url, method, `/admin/sharing${path}`, body, { cookie: admin })).body;
}

const until = (state: SharingState['state']) =>
  vi.waitFor(async () => {
    const now = await sharing('GET');
    expect(now.state).toBe(state);
    return now;
  }, ALONE);

/** Starts sharing and waits until the site is reached from outside. Returns the address. */
async function online(): Promise<string> {
  await sharing('POST');
  return (await until('online')).address ?? '';
}

type Noted = { keeper: { pid: number }; child: { pid: number } | null };
const noted = (): Noted => JSON.parse(readFileSync(join(folder, 'sharing/tunnel.json'), 'utf8'));
/** Returns true if the process is running. A zombie (Z) has ended and waits for its parent. */
const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

/** Enters a code on a separate phone. */
const type = (url: string, token: string, device_id = `device-${randomUUID()}`) =>
  call(url, 'POST', '/access', { token, device_id, attempt_id: randomUUID() });

test('opens the site at an https address until sharing ends, and leaves nothing running', async () => {
  await begin('cloudflared');
  expect(await sharing('GET')).toMatchObject({ available: true, tunnel: 'cloudflare', state: 'off' });
  const publicUrl = async () =>
    ok(await call(server.url, 'GET', '/admin/me', undefined, { cookie: admin })).body.public_url;
  const address = await online();
  expect(address).toMatch(/^https:\/\/winter-light-rome-\w+\.trycloudflare\.com:\d+$/);
  // Every link uses it, also for an administrator signed in on this computer.
  expect(await publicUrl()).toBe(address);
  const code = await buildCode(server, { admin });
  const entered = ok(await type(address, code.token));
  expect(entered.headers.getSetCookie().join()).toMatch(/^__Host-.*; Secure/);
  // A page of another site, or of this one under another name, can change nothing.
  const elsewhere = { headers: { origin: server.url } };
  expect((await call(address, 'POST', '/visit/resume', {}, elsewhere)).body.codice).toBe('FORBIDDEN_ORIGIN');
  const { keeper, child } = noted();
  expect([isRunning(keeper.pid), isRunning(child?.pid ?? 0)]).toEqual([true, true]);
  expect(await sharing('DELETE')).toMatchObject({ state: 'off', address: null, trouble: null });
  expect([isRunning(keeper.pid), isRunning(child?.pid ?? 0)]).toEqual([false, false]);
  await expect(call(address, 'GET', '/site')).rejects.toThrow();
  expect(await publicUrl()).toBeNull();
});

test('reports a program that ends, has no https or leads to another site, and leaves nothing running', async () => {
  await begin('cloudflared');
  const port = await freePort();
  const other = createServer((_, answer) => answer.end('{"proof":"not-ours"}')).listen(port, '127.0.0.1');
  closing.push(async () => other.close());
  for (const [orders, trouble] of [
    [{ dies: true }, 'ended'],
    [{ plain: true }, 'not_https'],
    [{ elsewhere: port }, 'other_site'],
  ] as const) {
    programs.order(orders);
    await sharing('POST');
    const ended = { state: 'trouble', trouble, address: null };
    await vi.waitFor(async () => expect(await sharing('GET')).toMatchObject(ended), ALONE);
    expect(existsSync(join(folder, 'sharing/tunnel.json'))).toBe(false);
  }
});

test('requires the program if it is missing, and is unavailable if the site has an address', async () => {
  await begin();
  expect(await sharing('GET')).toMatchObject({ tunnel: 'cloudflare', needs: 'download', state: 'off' });
  await stop();
  const own = await startServer({ dataDir: folder, env: { PUBLIC_URL: 'https://sorpresa.example' } });
  closing.push(() => own.stop());
  expect(await own.deps.sharing.read()).toMatchObject({ available: false, state: 'off' });
  expect(await own.deps.sharing.start()).toMatchObject({ available: false, state: 'off' });
});

test('preserves the address and a running visit over a restart of the product', async () => {
  await begin('cloudflared');
  const address = await online();
  const { cookie } = ok(await type(address, (await buildCode(server, { admin })).token));
  const { keeper } = noted();
  await stop();
  expect(isRunning(keeper.pid)).toBe(true);
  await start();
  expect(await until('online')).toMatchObject({ address, lost_address: null });
  expect(noted().keeper).toEqual(keeper);
  expect(ok(await call(address, 'POST', '/visit/heartbeat', {}, { cookie })).body.state).toBe('open');
  expect(programs.calls()).toHaveLength(1);
});

test('resumes a visit under a new address once, without counting a use, and reports that the old link is lost', async () => {
  await begin('cloudflared');
  const before = await online();
  const code = await buildCode(server, { admin }, { max_accessi: 1 });
  const uses = async () =>
    (await server.deps.db.selectFrom('tokens').select('accessi_usati').execute()).map(
      (row) => row.accessi_usati,
    );
  expect(ok(await type(before, code.token)).body.resumed).toBe(false);
  // While its own address works, another device can't resume the visit, on that address or on this computer.
  for (const url of [before, server.url])
    expect((await type(url, code.token)).body.codice).toBe('CODE_EXHAUSTED');
  const { db } = server.deps;
  await db.updateTable('admin_config').set({ telegram_bot_token: 'x', telegram_chat_id: '1' }).execute();
  process.kill(noted().child?.pid ?? 0);
  const { address } = await vi.waitFor(async () => {
    const now = await sharing('GET');
    expect(now).toMatchObject({ state: 'online', lost_address: before });
    return now;
  }, ALONE);
  expect((await type(server.url, code.token)).body.codice).toBe('CODE_EXHAUSTED');
  expect(ok(await type(address ?? '', code.token)).body.resumed).toBe(true);
  expect((await type(address ?? '', code.token)).body.codice).toBe('CODE_EXHAUSTED');
  expect(await uses()).toEqual([1]);
  const ready = ok(await call(server.url, 'GET', '/admin/ready/answer', undefined, { cookie: admin })).body;
  expect(JSON.stringify(ready)).toContain('address_changed');
  const notices = await db
    .selectFrom('notifications')
    .select('payload')
    .where('type', '=', 'address_changed')
    .execute();
  expect(notices.map(({ payload }) => JSON.parse(payload))).toEqual([
    { type: 'address_changed', indirizzo: address },
  ]);
  expect(await sharing('POST', '/given')).toMatchObject({ lost_address: null });
});

test('distinguishes visitors by Cloudflare’s header, and trusts no header that they send', async () => {
  await begin('cloudflared');
  const address = await online();
  const guess = (visitor: string, more = {}) =>
    call(address, 'POST', '/access', wrongCode(), { headers: { 'x-test-visitor': visitor, ...more } });
  const limitedClients = async () =>
    (await server.deps.db.selectFrom('rate_limits').select('key').execute()).length;
  for (let n = 1; n <= 3; n++) await guess(`198.51.100.${n}`);
  expect(await limitedClients()).toBe(3);
  // A visitor that sends another address each time still counts as one.
  for (let n = 1; n <= 3; n++)
    await guess('203.0.113.9', { 'cf-connecting-ip': `192.0.2.${n}`, 'x-forwarded-for': `192.0.2.${n}` });
  expect(await limitedClients()).toBe(4);
  // On this computer no such header is trusted.
  await call(server.url, 'POST', '/access', wrongCode(), { headers: { 'cf-connecting-ip': '198.51.100.1' } });
  expect(await limitedClients()).toBe(5);
});

const wrongCode = () => ({
  token: `ROM-${randomUUID().slice(0, 8).toUpperCase()}`,
  device_id: `device-${randomUUID()}`,
  attempt_id: randomUUID(),
});

test('uses Funnel if Tailscale is signed in: the first free port, and turns only this one off', async () => {
  await begin('tailscale', 'cloudflared');
  const otherFunnel = {
    TCP: { 443: { HTTPS: true } },
    Web: { 'sera.tail01804b.ts.net:443': { Handlers: {} } },
  };
  programs.remember(otherFunnel);
  programs.order({ enable: 'https://login.tailscale.com/f/funnel?node=n1' });
  expect(await sharing('POST')).toMatchObject({ tunnel: 'tailscale', keeps_address: true });
  await vi.waitFor(
    async () => expect((await sharing('GET')).enable).toBe('https://login.tailscale.com/f/funnel?node=n1'),
    ALONE,
  );
  programs.enable();
  const { address } = await until('reaching');
  expect(address).toBe('https://sera.tail01804b.ts.net:8443');
  await sharing('DELETE');
  expect(programs.remembered()).toEqual(otherFunnel);
  expect(programs.calls()).toContain('tailscale funnel --https=8443 off');
});

test('downloads the program once, and deletes one with another checksum', async () => {
  const site = createServer((_, answer) => answer.end('the program')).listen(0, '127.0.0.1');
  await once(site, 'listening');
  closing.push(async () => site.close());
  const from = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const fetched = (sha256: string) =>
    fetchCloudflared(folder, new AbortController().signal, { from, file: { name: 'cloudflared-x', sha256 } });
  await expect(fetched('0'.repeat(64))).rejects.toThrow('checksum');
  expect(readdirSync(folder)).toEqual([]);
  await fetched(createHash('sha256').update('the program').digest('hex'));
  expect(readdirSync(folder)).toEqual(['cloudflared']);
  expect(statSync(join(folder, 'cloudflared')).mode & 0o777).toBe(0o700);
});

test('accepts commands from this computer only', async () => {
  await begin('cloudflared');
  const sendCommand = (pass: string) => call(server.url, 'POST', '/site/sharing', { action: 'read', pass });
  expect((await sendCommand('1893456000000.0.' + 'A'.repeat(43))).body.codice).toBe('NOT_FOUND');
});
