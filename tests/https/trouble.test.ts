import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { AuthorityRefused, AuthorityUnreachable } from '../../src/server/https/authority.ts';
import { portTrouble, requestTrouble } from '../../src/server/https/rules.ts';
import { StorageUnavailable } from '../../src/server/storage/storage.ts';
import { certificateTexts } from '../../src/texts/certificate.ts';
import { freePort } from '../support/free-port.ts';
import { call } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import {
  askHttp,
  askHttps,
  type HttpsFixture,
  type HttpsServer,
  httpsFixture,
  movableClock,
  NAME,
  servedAs,
  startHttpsServer,
} from '../support/https.ts';
import { newFolder, startServer } from '../support/server.ts';

/** Certificate troubles: each is reported in a sentence and retried in time, and the site continues as well as possible. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let ground: HttpsFixture;
let dataDir: string;
let clock: ReturnType<typeof movableClock>;
let running: HttpsServer | null;
beforeAll(async () => {
  ground = await httpsFixture();
});
afterAll(() => ground.end());
beforeEach(async () => {
  dataDir = await newFolder();
  clock = movableClock();
  running = null;
});
afterEach(async () => {
  await running?.stop();
  await rm(dataDir, { recursive: true, force: true });
  ground.authority.fault = { kind: 'none' };
  await ground.authority.lead(NAME, '127.0.0.1');
});

/** Starts or restarts the product. */
async function started(more: Record<string, string> = {}): Promise<HttpsServer> {
  await running?.stop();
  running = await startHttpsServer(ground, { dataDir, now: clock.now, more });
  return running;
}
const trouble = (server: HttpsServer) => server.state().trouble;
/** Returns the number of requests to the authority during `work`. */
async function asked(work: () => Promise<unknown>): Promise<number> {
  const { requests } = ground.authority;
  await work();
  return ground.authority.requests - requests;
}
async function occupied<T>(server: Server, port: number, work: () => Promise<T>): Promise<T> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return work().finally(() => new Promise((closed) => server.close(closed)));
}

test('reports a name that points elsewhere, retries after a pause, and recovers', async () => {
  await ground.authority.lead(NAME, '127.0.0.2');
  const server = await started();
  const ours = expect.arrayContaining(['127.0.0.1']) as unknown;
  expect(trouble(server)).toMatchObject({ kind: 'points_elsewhere', name: NAME, found: ['127.0.0.2'], ours });
  expect(server.operatorOutput()).toMatch(
    /sera\.example porta a 127\.0\.0\.2, ma questo computer è 127\.0\.0\.1/,
  );
  expect(server.logged()).toContain('"kind":"points_elsewhere"');
  // Until then http returns one sentence, and the administrator can enter from the machine.
  const { status, headers, bytes } = await askHttp(ground, { path: '/admin' });
  expect([status, headers['retry-after'], bytes.toString()]).toEqual([503, '60', certificateTexts.notYet]);
  expect(await servedAs(ground, NAME)).toMatch(/^refused: /);
  const cookie = await signUp(server);
  const { certificato } = (await call(server.url, 'GET', '/admin/dashboard', undefined, { cookie })).body;
  expect(certificato).toMatchObject({
    names: [NAME],
    valid_until: null,
    trouble: { kind: 'points_elsewhere' },
  });
  await ground.authority.lead(NAME, '127.0.0.1');
  clock.advance(9 * MINUTE_MS);
  const { orders } = ground.authority;
  await server.look();
  expect(ground.authority.orders).toBe(orders);
  clock.advance(2 * MINUTE_MS);
  // A refused nonce is requested again.
  ground.authority.fault = { kind: 'old nonces', left: 1 };
  expect((await server.look()).trouble).toBeNull();
  expect(ground.authority.fault).toEqual({ kind: 'old nonces', left: 0 });
  expect((await askHttps(ground)).status).toBeLessThan(500);
  expect(server.operatorOutput()).toContain('Certificato https per sera.example: scade ');
});

test('serves the old certificate at once after a restart, and for a day without the authority', async () => {
  const first = await started();
  const serial = await servedAs(ground, NAME);
  expect(await asked(() => started())).toBe(0);
  const server = running ?? first;
  expect(await servedAs(ground, NAME)).toBe(serial);
  clock.advance(61 * DAY_MS);
  ground.authority.fault = { kind: 'away' };
  const times = await asked(async () => {
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      await server.look();
      clock.advance(MINUTE_MS);
    }
  });
  expect(times).toBeGreaterThan(20);
  expect(times).toBeLessThan(30);
  expect(trouble(server)).toMatchObject({ kind: 'authority_away' });
  expect(await servedAs(ground, NAME)).toBe(serial);
  expect((await askHttps(ground)).status).toBeLessThan(500);
  expect(server.operatorOutput().match(/non risponde/g)).toHaveLength(1);
  // After its return, the authority no longer knows our account.
  await ground.authority.forget();
  ground.authority.fault = { kind: 'none' };
  clock.advance(HOUR_MS);
  expect((await server.look()).trouble).toBeNull();
  expect(await servedAs(ground, NAME)).not.toBe(serial);
});

test('replaces a certificate that is damaged or for other names', async () => {
  await started();
  await writeFile(join(dataDir, 'https', 'certificate.pem'), 'half a cert');
  await writeFile(join(dataDir, 'https', 'last.json'), '{');
  expect(trouble(await started())).toBeNull();
  expect(await servedAs(ground, NAME)).not.toMatch(/^refused/);
  const server = await started({ HTTPS_DOMAIN: `${NAME},b.example` });
  expect(server.state()).toMatchObject({ names: [NAME, 'b.example'], trouble: null });
  expect(await servedAs(ground, 'b.example')).not.toMatch(/^refused/);
});

test('leaves an authority alone for as long as it requests, also after a restart', async () => {
  ground.authority.fault = { kind: 'wait', retryAfter: '7200' };
  const first = await started();
  expect(trouble(first)).toMatchObject({ kind: 'wait', detail: 'too many' });
  const waits = Date.parse(first.state().next_try ?? '') - clock.now().getTime();
  expect(Math.round(waits / HOUR_MS)).toBe(2);
  ground.authority.fault = { kind: 'none' };
  const times = await asked(async () => {
    expect(trouble(await started())).toMatchObject({ kind: 'wait' });
    clock.advance(2 * HOUR_MS - 5 * MINUTE_MS);
    await running?.look();
  });
  expect(times).toBe(0);
  clock.advance(6 * MINUTE_MS);
  expect((await running?.look())?.trouble).toBeNull();
});

test('reports each trouble at startup by its kind, and then leaves the authority alone for a while', async () => {
  const port = { HTTP_PORT: String(await freePort()) };
  await ground.authority.lead(NAME);
  expect(trouble(await started())).toMatchObject({ kind: 'no_address', name: NAME, found: [] });
  await ground.authority.lead(NAME, '127.0.0.1');
  clock.advance(HOUR_MS);
  const unreachable = await started(port);
  expect(trouble(unreachable)).toMatchObject({ kind: 'unreachable', name: NAME, found: ['127.0.0.1'] });
  expect(unreachable.operatorOutput()).toContain('la porta 80 di sera.example (127.0.0.1) non risponde');
  clock.advance(HOUR_MS);
  await running?.stop();
  running = null;
  const other = createServer((_request, response) => response.writeHead(404).end('no'));
  const answered = await occupied(other, ground.httpPort, async () => trouble(await started(port)));
  expect(answered).toMatchObject({ kind: 'other_answers', name: NAME });
  clock.advance(HOUR_MS);
  ground.authority.fault = { kind: 'old nonces', left: Infinity };
  const refused = await started();
  expect(trouble(refused)).toMatchObject({ kind: 'refused', detail: expect.stringMatching(/nonce/i) });
  expect(await asked(() => refused.look())).toBe(0);
});

test('reports a port that another program uses, and sends no request', async () => {
  await occupied(createTcpServer(), ground.httpsPort, async () => {
    const { requests } = ground.authority;
    const server = await startServer({ env: ground.env });
    const told = () => server.deps.certificate?.state().trouble;
    await expect.poll(told).toMatchObject({ kind: 'port_taken', port: ground.httpsPort });
    expect(server.operatorOutput()).toContain(
      `La porta ${ground.httpsPort} la sta già usando un altro programma.`,
    );
    expect([ground.authority.requests, (await askHttp(ground)).status]).toEqual([requests, 503]);
    await server.stop();
  });
});

const said = (type: string, more: { status?: number; retryAfter?: string; domain?: string } = {}) =>
  new AuthorityRefused('perché', { type, ...more });
test.each<[string, unknown]>([
  ['not_kept', new StorageUnavailable('no')],
  ['authority_away', new AuthorityUnreachable('no')],
  ['refused', new Error('no')],
  ['wait', said('', { status: 429 })],
  ['wait', said('rateLimited', { status: 403 })],
  ['wait', said('', { status: 503, retryAfter: '60' })],
  ['authority_away', said('', { status: 503 })],
  ['refused', said('rejectedIdentifier', { domain: 'sera.example' })],
])('maps a failure to %s: %o', async (kind, error) => {
  expect(await requestTrouble(error)).toMatchObject({ kind, port: null, found: [], ours: [] });
});

test('includes the name or the port, and 500 characters of the detail', async () => {
  const long = new AuthorityRefused('x'.repeat(501), { type: 'malformed', domain: 'sera.example' });
  expect(await requestTrouble(long)).toMatchObject({ name: 'sera.example', detail: 'x'.repeat(500) });
  for (const [code, kind] of [
    ['EACCES', 'port_refused'],
    ['EADDRINUSE', 'port_taken'],
    ['EADDRNOTAVAIL', 'port_closed'],
  ])
    expect(portTrouble(80, Object.assign(new Error('no'), { code }))).toMatchObject({
      kind,
      port: 80,
      detail: 'no',
    });
});
