import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenAPI } from '@orpc/openapi';
import { HonoRequest } from 'hono/request';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openMetrics } from '../../src/server/features/metrics/metrics.ts';
import { createReadyz } from '../../src/server/http/health.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer } from '../support/deps.ts';
import { listen, listenAt } from '../support/event-source.ts';
import { freePort } from '../support/free-port.ts';
import { call } from '../support/http.ts';
import {
  buildCode,
  type Evening,
  enter,
  prepareEvening,
  revokeCode,
  walkTo,
} from '../support/http-evening.ts';
import { readText, type Scrape, scrape } from '../support/metrics.ts';
import { startServer, type TestServer } from '../support/server.ts';

describe('metrics', () => {
  const TOKEN = 'un-segreto-abbastanza-lungo';

  let server: TestServer;
  let evening: Evening;
  beforeAll(async () => {
    server = await startServer({ env: { METRICS_TOKEN: TOKEN } });
    evening = await prepareEvening(server);
  });
  afterAll(() => server.stop());

  const now = () => scrape(server.url, TOKEN);
  /** Returns the growth of each series that has changed. */
  async function growth(before: Scrape): Promise<Scrape> {
    const grown = Object.entries(await now()).map(
      ([name, value]) => [name, value - (before[name] ?? 0)] as const,
    );
    return Object.fromEntries(grown.filter(([name, value]) => name.startsWith('sorpresa_') && value !== 0));
  }
  const requests = (method: string, route: string, status: string) =>
    `sorpresa_http_requests_total{method="${method}",route="${route}",status="${status}"}`;

  describe('access to metrics', () => {
    test('is not possible without an address or a token, and refused with a wrong token', async () => {
      const plain = await startServer();
      expect([(await fetch(`${plain.url}/metrics`)).status, plain.deps.metrics]).toEqual([404, null]);
      await plain.stop();
      for (const authorization of ['', `Bearer ${TOKEN.slice(0, -1)}`, `Basic ${TOKEN}`]) {
        const response = await fetch(`${server.url}/metrics`, { headers: { authorization } });
        expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
        expect(await response.text()).not.toContain('sorpresa_');
      }
    });

    test('is possible at the separate address only, with the token if one is set', async () => {
      const port = await freePort();
      const METRICS_ADDRESS = `127.0.0.1:${port}`;
      const address = `http://${METRICS_ADDRESS}`;
      const own = await startServer({ env: { METRICS_ADDRESS } });
      expect(await scrape(address)).toHaveProperty('sorpresa_database_up', 1);
      expect((await fetch(`${address}/healthz`)).status).toBe(404);
      expect((await fetch(`${own.url}/metrics`)).status).toBe(404);
      await expect(startServer({ env: { METRICS_ADDRESS } })).rejects.toThrow(/^METRICS_ADDRESS: Can't/);
      await own.stop();
      await expect(fetch(address)).rejects.toThrow();
      const locked = await startServer({ env: { METRICS_ADDRESS, METRICS_TOKEN: TOKEN } });
      expect((await fetch(`${address}/metrics`)).status).toBe(401);
      await locked.stop();
    });
  });

  describe('counters', () => {
    const entering = (token: string) => ({
      token,
      attempt_id: randomUUID(),
      device_id: `device-${randomUUID()}`,
    });

    test('counts entries and refusals by kind and route, also refusals before the call is handled', async () => {
      const before = await now();
      const body = entering(evening.token.token);
      for (const _ of [1, 2]) expect((await call(server.url, 'POST', '/access', body)).status).toBe(200);
      await call(server.url, 'POST', '/access', entering('ROM-ZZZZZZZZ'));
      await fetch(`${server.url}/api/access`, { method: 'POST' });
      expect(await growth(before)).toMatchObject({
        'sorpresa_entries_total{kind="new"}': 1,
        'sorpresa_entries_total{kind="resumed"}': 1,
        'sorpresa_refusals_total{code="CODE_INVALID"}': 1,
        'sorpresa_refusals_total{code="FORBIDDEN_ORIGIN"}': 1,
        sorpresa_visits_living: 1,
        [requests('POST', '/api/access', '2xx')]: 2,
        [requests('POST', '/api/access', '4xx')]: 2,
      });
    });

    test('counts the bytes of a film, open streams by kind, and a revocation that ends one', async () => {
      const token = await buildCode(server, evening);
      const cookie = await enter(server, { token });
      await walkTo(server, cookie, 'video');
      const before = await now();
      const stream = await listen(server.url, cookie);
      const pages = await listenAt(`${server.url}/api/admin/events`, evening.admin);
      const open = (count: number) => ({
        'sorpresa_live_connections{who="visitor"}': count,
        'sorpresa_live_connections{who="administrator"}': count,
      });
      expect(await now()).toMatchObject(open(1));
      const headers = { cookie, range: 'bytes=100-1099' };
      await (await fetch(`${server.url}${evening.media.video.url}`, { headers })).arrayBuffer();
      await revokeCode(server, evening, token);
      await stream.ended;
      pages.close();
      await expect.poll(now).toMatchObject(open(0));
      await expect
        .poll(() => growth(before))
        .toMatchObject({
          sorpresa_media_bytes_total: 1_000,
          sorpresa_visits_disconnected_total: 1,
          sorpresa_visits_living: -1,
          [requests('GET', '/api/media/{file}', '2xx')]: 1,
        });
    });

    test('counts pending work, and shows the media worker while it runs', async () => {
      expect(await now()).toMatchObject({
        sorpresa_uploads_in_work: 0,
        sorpresa_media_worker_running: 0,
        sorpresa_live_own_word_heard: 1,
        'sorpresa_notifications_failed{channel="email"}': 0,
      });
      // No channel is configured, so at least one entry waits.
      expect((await now())['sorpresa_notifications_waiting{channel="telegram"}']).toBeGreaterThan(0);
      const course = { signal: new AbortController().signal, progress: () => undefined };
      await server.deps.mediaWorker.run({ task: 'hues', path: 'tests/fixtures/picture.jpg' }, course);
      const { sorpresa_media_worker_running: running, ...rest } = await now();
      expect(running).toBe(1);
      expect(rest.sorpresa_media_worker_resident_bytes).toBeGreaterThan(10 * 1024 ** 2);
    });

    test('contains no code, name, file or token', async () => {
      const headers = { authorization: `Bearer ${TOKEN}` };
      const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
      expect(text).toContain('sorpresa_entries_total');
      for (const word of [evening.token.token, evening.media.video.id, 'anna', 'Lei', TOKEN])
        expect(text, word).not.toContain(word);
    });

    test('omits what only the database can count if it does not respond', async () => {
      const { deps, close } = await openTestServer(sqliteDatabase);
      const seen = async (change: Partial<typeof deps> = {}) => {
        const metrics = openMetrics({ ...deps, ...change });
        return readText(await metrics.text().finally(() => metrics.close()));
      };
      expect(await seen()).toMatchObject({ sorpresa_visits_living: 0, sorpresa_database_up: 1 });
      expect(await seen({ live: { ...deps.live, isReceiving: () => false } })).toMatchObject({
        sorpresa_live_own_word_heard: 0,
      });
      await close();
      const without = await seen();
      expect(without).toMatchObject({ sorpresa_database_up: 0, sorpresa_uploads_in_work: 0 });
      for (const name of ['sorpresa_visits_living', 'sorpresa_notifications_waiting{channel="telegram"}'])
        expect(Object.keys(without)).not.toContain(name);
    });
  });
});

describe('health of a server', () => {
  /** A request without a query. */
  const NOTHING_MORE = { req: new HonoRequest(new Request('http://127.0.0.1/readyz')) };

  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  test('returns 200 while database and storage respond, and 503 in Italian otherwise', async () => {
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    const media = join(server.deps.env.DATA_DIR, 'media');
    await rm(media, { recursive: true });
    const refused = await fetch(`${server.url}/readyz`);
    expect(refused.status).toBe(503);
    expect(await refused.json()).toEqual({
      codice: 'UNAVAILABLE',
      messaggio: 'Servizio momentaneamente non disponibile. Riprova tra poco.',
    });
    const alive = await fetch(`${server.url}/healthz`);
    expect([alive.status, await alive.json()]).toEqual([200, { ok: true }]);
    // A load balancer still sends visitors here: only files are missing.
    expect((await fetch(`${server.url}/readyz?exclude=storage`)).status).toBe(200);
    expect((await fetch(`${server.url}/readyz?exclude=nothing-we-know`)).status).toBe(503);
  });

  test('checks at most once a second if something can be written, and at once again after a failure', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let [written, fails] = [0, false];
    const inTransaction: typeof server.deps.inTransaction = (work) => {
      written += 1;
      return fails ? Promise.reject(new Error('no')) : server.deps.inTransaction(work);
    };
    const ask = createReadyz({
      ...server.deps,
      storage: { ...server.deps.storage, check: async () => undefined },
      inTransaction,
    });
    const statusesOf = async (times: number) => {
      const statuses: number[] = [];
      for (let time = 0; time < times; time += 1) statuses.push((await ask(NOTHING_MORE)).status);
      return [...statuses, written];
    };
    expect(await statusesOf(3)).toEqual([200, 200, 200, 1]);
    vi.advanceTimersByTime(999);
    expect(await statusesOf(1)).toEqual([200, 1]);
    vi.advanceTimersByTime(1);
    fails = true;
    expect(await statusesOf(2)).toEqual([503, 503, 3]);
    fails = false;
    expect(await statusesOf(2)).toEqual([200, 200, 4]);
    vi.useRealTimers();
  });

  test('is not ready on a node that receives no message of the others', async () => {
    const live = { ...server.deps.live, isReceiving: () => false };
    const storage = { ...server.deps.storage, check: async () => undefined };
    expect((await createReadyz({ ...server.deps, storage, live })(NOTHING_MORE)).status).toBe(503);
    expect((await createReadyz({ ...server.deps, storage })(NOTHING_MORE)).status).toBe(200);
  });

  test('is not ready if the storage does not respond within three seconds', async () => {
    const storage = { ...server.deps.storage, check: () => new Promise<void>(() => undefined) };
    expect((await createReadyz({ ...server.deps, storage })(NOTHING_MORE)).status).toBe(503);
  });

  test('describes in OpenAPI exactly the addresses and methods that the server answers', async () => {
    const { paths, components } = await (await fetch(`${server.url}/api/openapi.json`)).json();
    const described: [string, Record<string, OpenAPI.OperationObject>][] = Object.entries(paths);
    const served = server.app.endpoints.map(({ path, method }) => `${method} ${path}`);
    const named = described.flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(named.toSorted()).toEqual([...served, 'GET /healthz', 'GET /readyz'].toSorted());
    for (const [path, methods] of described) {
      for (const { summary, security = [] } of Object.values(methods)) {
        expect(summary, path).toMatch(/\S/);
        for (const cookie of security.flatMap(Object.keys))
          expect(components.securitySchemes, path).toHaveProperty(cookie);
      }
    }
  });
});
