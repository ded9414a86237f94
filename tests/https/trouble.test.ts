import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { certificateTexts } from '../../src/texts/certificate.ts';
import { freePort } from '../support/free-port.ts';
import { call } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import {
  askHttp,
  askHttps,
  type HttpsGround,
  type HttpsServer,
  httpsGround,
  movableClock,
  NAME,
  servedAs,
  startHttpsServer,
} from '../support/https.ts';
import { newFolder, startServer } from '../support/server.ts';

/** What goes wrong with a certificate: told in words, waited for as long as it has to be, and the site goes on as it can. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let ground: HttpsGround;
beforeAll(async () => {
  ground = await httpsGround();
});
afterAll(() => ground.end());

const cleanup: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const undo of cleanup.splice(0).toReversed()) await undo();
  ground.authority.fault = { kind: 'none' };
  await ground.authority.lead(NAME, '127.0.0.1');
});

async function started(options: Parameters<typeof startHttpsServer>[1] = {}): Promise<HttpsServer> {
  const server = await startHttpsServer(ground, options);
  cleanup.push(() => server.stop());
  return server;
}

async function folder(): Promise<string> {
  const made = await newFolder();
  cleanup.push(() => rm(made, { recursive: true, force: true }));
  return made;
}

describe('while there is no certificate', () => {
  test('the names answer http with one sentence, and who has installed it gets in from the machine', async () => {
    ground.authority.fault = { kind: 'away' };
    const server = await started();
    const { status, headers, bytes } = await askHttp(ground, { path: '/admin' });
    expect([status, headers['retry-after'], bytes.toString()]).toEqual([503, '60', certificateTexts.notYet]);
    expect(await servedAs(ground, NAME)).toMatch(/^refused: /);
    const cookie = await signUp(server);
    const dashboard = await call(server.url, 'GET', '/admin/dashboard', undefined, { cookie });
    expect(dashboard.body.certificato).toMatchObject({
      names: [NAME],
      valid_until: null,
      trouble: { kind: 'authority_away' },
    });
  });
});

describe('a name that doesn’t lead here', () => {
  test('points elsewhere: where to, and which addresses are ours', async () => {
    await ground.authority.lead(NAME, '127.0.0.2');
    const server = await started();
    expect(server.state().trouble).toMatchObject({
      kind: 'points_elsewhere',
      name: NAME,
      found: ['127.0.0.2'],
      ours: expect.arrayContaining(['127.0.0.1']),
    });
    expect(server.told()).toMatch(/sera\.example porta a 127\.0\.0\.2, ma questo computer è 127\.0\.0\.1/);
    expect(server.logged()).toContain('"kind":"points_elsewhere"');
  });

  test('has no address at all', async () => {
    await ground.authority.lead(NAME);
    const server = await started();
    expect(server.state().trouble).toMatchObject({ kind: 'no_address', name: NAME, found: [] });
  });

  test('nothing answers on port 80', async () => {
    const server = await started({ more: { HTTP_PORT: String(await freePort()) } });
    expect(server.state().trouble).toMatchObject({ kind: 'unreachable', name: NAME, found: ['127.0.0.1'] });
    expect(server.told()).toContain('la porta 80 di sera.example (127.0.0.1) non risponde');
  });

  test('somebody else answers there', async () => {
    const other = createServer((_request, response) => response.writeHead(404).end('no'));
    other.listen(ground.httpPort, '127.0.0.1');
    await once(other, 'listening');
    cleanup.push(() => new Promise((resolve) => other.close(resolve)));
    const server = await started({ more: { HTTP_PORT: String(await freePort()) } });
    expect(server.state().trouble).toMatchObject({ kind: 'other_answers', name: NAME });
  });

  test('is asked about again after a pause, and then all is well', async () => {
    await ground.authority.lead(NAME, '127.0.0.2');
    const clock = movableClock();
    const server = await started({ now: clock.now });
    const { orders } = ground.authority;
    await ground.authority.lead(NAME, '127.0.0.1');
    clock.advance(9 * MINUTE_MS);
    await server.look();
    expect(ground.authority.orders).toBe(orders);
    clock.advance(2 * MINUTE_MS);
    expect((await server.look()).trouble).toBeNull();
    expect((await askHttps(ground)).status).toBeLessThan(500);
    expect(server.told()).toContain('Certificato https per sera.example: scade ');
  });
});

describe('a port', () => {
  test('that another program has is told, and nobody is asked', async () => {
    const other = createTcpServer().listen(ground.httpsPort, '127.0.0.1');
    await once(other, 'listening');
    cleanup.push(async () => void other.close());
    const { requests } = ground.authority;
    const server = await startServer({ env: ground.env });
    cleanup.push(() => server.stop());
    const trouble = () => server.deps.certificate?.state().trouble;
    await expect.poll(trouble).toMatchObject({ kind: 'port_taken', port: ground.httpsPort });
    expect(server.told()).toContain(`La porta ${ground.httpsPort} la sta già usando un altro programma.`);
    expect(ground.authority.requests).toBe(requests);
    expect((await askHttp(ground)).status).toBe(503);
  });
});

describe('an authority', () => {
  test('that says «wait» is left alone for as long as it said, also by a restart', async () => {
    ground.authority.fault = { kind: 'wait', retryAfter: '7200' };
    const clock = movableClock();
    const dataDir = await folder();
    const first = await startHttpsServer(ground, { now: clock.now, dataDir });
    expect(first.state().trouble).toMatchObject({ kind: 'wait', detail: 'too many' });
    const waits = Date.parse(first.state().next_try ?? '') - clock.now().getTime();
    expect(Math.round(waits / HOUR_MS)).toBe(2);
    await first.stop();
    ground.authority.fault = { kind: 'none' };
    const { requests } = ground.authority;
    const second = await started({ now: clock.now, dataDir });
    expect(second.state().trouble).toMatchObject({ kind: 'wait' });
    clock.advance(2 * HOUR_MS - 5 * MINUTE_MS);
    await second.look();
    expect(ground.authority.requests).toBe(requests);
    clock.advance(6 * MINUTE_MS);
    expect((await second.look()).trouble).toBeNull();
  });

  test('that is away for a day is asked about once an hour, and the old certificate serves', async () => {
    const clock = movableClock();
    const server = await started({ now: clock.now });
    const serial = await servedAs(ground, NAME);
    clock.advance(61 * DAY_MS);
    ground.authority.fault = { kind: 'away' };
    const { requests } = ground.authority;
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      await server.look();
      clock.advance(MINUTE_MS);
    }
    const asked = ground.authority.requests - requests;
    expect(asked).toBeGreaterThan(20);
    expect(asked).toBeLessThan(30);
    expect(server.state().trouble).toMatchObject({ kind: 'authority_away' });
    expect(await servedAs(ground, NAME)).toBe(serial);
    expect((await askHttps(ground)).status).toBeLessThan(500);
    expect(server.told().match(/non risponde/g)).toHaveLength(1);
    ground.authority.fault = { kind: 'none' };
    clock.advance(HOUR_MS);
    expect((await server.look()).trouble).toBeNull();
    expect(await servedAs(ground, NAME)).not.toBe(serial);
  });

  test('that refuses a nonce is asked again with another', async () => {
    ground.authority.fault = { kind: 'old nonces', left: 1 };
    const server = await started();
    expect(server.state().trouble).toBeNull();
    expect(ground.authority.fault).toEqual({ kind: 'old nonces', left: 0 });
  });

  test('that takes no nonce at all is told of, and left alone for a while', async () => {
    ground.authority.fault = { kind: 'old nonces', left: Infinity };
    const server = await started();
    expect(server.state().trouble).toMatchObject({
      kind: 'refused',
      detail: expect.stringMatching(/nonce/i),
    });
    const { requests } = ground.authority;
    await server.look();
    expect(ground.authority.requests).toBe(requests);
  });

  test('that knows our account no more is told of it anew', async () => {
    const clock = movableClock();
    const dataDir = await folder();
    const first = await startHttpsServer(ground, { now: clock.now, dataDir });
    await first.stop();
    await ground.authority.forget();
    const second = await started({ now: clock.now, dataDir });
    expect(second.state().trouble).toBeNull();
    clock.advance(61 * DAY_MS);
    const serial = await servedAs(ground, NAME);
    expect((await second.look()).trouble).toBeNull();
    // Two that were given in the same second end in the same second.
    expect(await servedAs(ground, NAME)).not.toBe(serial);
  });
});

describe('what is kept', () => {
  test('serves at once after a restart, and nobody is asked', async () => {
    const dataDir = await folder();
    const first = await startHttpsServer(ground, { dataDir });
    const serial = await servedAs(ground, NAME);
    await first.stop();
    const { requests } = ground.authority;
    await started({ dataDir });
    expect(await servedAs(ground, NAME)).toBe(serial);
    expect(ground.authority.requests).toBe(requests);
  });

  test('and is damaged is asked for anew', async () => {
    const dataDir = await folder();
    const first = await startHttpsServer(ground, { dataDir });
    await first.stop();
    await writeFile(join(dataDir, 'https', 'certificate.pem'), 'half a cert');
    await writeFile(join(dataDir, 'https', 'last.json'), '{');
    const second = await started({ dataDir });
    expect(second.state().trouble).toBeNull();
    expect(await servedAs(ground, NAME)).not.toMatch(/^refused/);
  });

  test('and is for other names is asked for anew, at once', async () => {
    const dataDir = await folder();
    const first = await startHttpsServer(ground, { dataDir });
    await first.stop();
    const more = { HTTPS_DOMAIN: `${NAME},b.example` };
    const second = await started({ dataDir, more });
    expect(second.state()).toMatchObject({ names: [NAME, 'b.example'], trouble: null });
    expect(await servedAs(ground, 'b.example')).not.toMatch(/^refused/);
  });
});
