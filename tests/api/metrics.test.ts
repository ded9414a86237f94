import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEnv } from '../../src/server/env.ts';
import { openMetrics } from '../../src/server/features/metrics/metrics.service.ts';
import { enqueueNotification } from '../../src/server/features/notifications/notifications.repo.ts';
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
import { newFolder, spawnServer, startServer, type TestServer } from '../support/server.ts';

const TOKEN = 'un-segreto-abbastanza-lungo';

let server: TestServer;
let evening: Evening;
beforeAll(async () => {
  server = await startServer({ env: { METRICS_TOKEN: TOKEN } });
  evening = await prepareEvening(server);
});
afterAll(() => server.stop());

const now = () => scrape(server.url, TOKEN);
/** How much each series has grown, where it has. */
const growth = (before: Scrape, after: Scrape) =>
  Object.fromEntries(
    Object.entries(after)
      .filter(([series, value]) => series.startsWith('sorpresa_') && value !== (before[series] ?? 0))
      .map(([series, value]) => [series, value - (before[series] ?? 0)]),
  );

describe('who may ask', () => {
  test('nobody where neither address nor token is set', async () => {
    const plain = await startServer();
    expect((await fetch(`${plain.url}/metrics`)).status).toBe(404);
    expect(plain.deps.metrics).toBeNull();
    await plain.stop();
  });

  test.each([
    ['none', undefined],
    ['another', `Bearer ${TOKEN.replace('lungo', 'corto')}`],
    ['a longer one', `Bearer ${TOKEN}x`],
    ['the beginning', `Bearer ${TOKEN.slice(0, -1)}`],
    ['the right one by another way', `Basic ${TOKEN}`],
  ])('not with a wrong token: %s', async (_what, authorization) => {
    const response = await fetch(`${server.url}/metrics`, {
      headers: authorization ? { authorization } : {},
    });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await response.text()).not.toContain('sorpresa_');
  });

  test('with the token, by whatever name the node is known to who collects', async () => {
    const named = await startServer({
      env: { METRICS_TOKEN: TOKEN, PUBLIC_URL: 'https://sorpresa.example' },
    });
    const asked = (path: string) => {
      const headers = { host: 'node-7.internal:3000', authorization: `bearer ${TOKEN}` };
      return new Promise((resolve) => {
        request(`${named.url}${path}`, { headers }, (answer) => {
          answer.resume();
          resolve([answer.statusCode, answer.headers['content-type'], answer.headers['cache-control']]);
        }).end();
      });
    };
    expect(await asked('/metrics')).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8', 'no-store']);
    expect(await asked('/api/site')).toEqual([421, 'application/json', 'no-store']);
    await named.stop();
  });

  test('at an address of their own, and there alone, is nothing else', async () => {
    const port = await freePort();
    const own = await startServer({ env: { METRICS_ADDRESS: `127.0.0.1:${port}` } });
    const address = `http://127.0.0.1:${port}`;
    expect(await scrape(address)).toHaveProperty('sorpresa_database_up', 1);
    for (const path of ['/', '/healthz', '/api/site', '/admin'])
      expect((await fetch(`${address}${path}`)).status, path).toBe(404);
    expect((await fetch(`${own.url}/metrics`)).status).toBe(404);
    await own.stop();
    await expect(fetch(address)).rejects.toThrow();
  });

  test('an address of their own may want the token as well', async () => {
    const port = await freePort();
    const env = { METRICS_ADDRESS: `127.0.0.1:${port}`, METRICS_TOKEN: TOKEN };
    const own = await startServer({ env });
    const address = `http://127.0.0.1:${port}`;
    expect((await fetch(`${address}/metrics`)).status).toBe(401);
    expect(await scrape(address, TOKEN)).toHaveProperty('sorpresa_database_up', 1);
    await own.stop();
  });

  test('a start whose address somebody else has is given up with its name, and leaves nothing behind', async () => {
    const taken = new URL(server.url).host;
    await expect(startServer({ env: { METRICS_ADDRESS: taken } })).rejects.toThrow(/^METRICS_ADDRESS: Can't/);
  });

  test.each([
    ['METRICS_ADDRESS', '9464'],
    ['METRICS_ADDRESS', 'http://127.0.0.1:9464'],
    ['METRICS_ADDRESS', '127.0.0.1:99999'],
    ['METRICS_TOKEN', 'corto'],
    ['METRICS_TOKEN', 'con degli spazi ma abbastanza lungo'],
  ])('%s=%s is refused by name', (name, value) => {
    expect(() => readEnv({ [name]: value })).toThrow(`${name}: must`);
  });

  test('an address may be of either kind, or a name', () => {
    const address = (METRICS_ADDRESS: string) => readEnv({ METRICS_ADDRESS }).METRICS_ADDRESS;
    expect(address('[::1]:9464')).toEqual({ HOST: '::1', PORT: 9464 });
    expect(address('node-7.internal:1')).toEqual({ HOST: 'node-7.internal', PORT: 1 });
  });
});

describe('what is counted', () => {
  test('an entry, and the same visit taken up again', async () => {
    const before = await now();
    const body = {
      token: evening.token.token,
      attempt_id: randomUUID(),
      device_id: `device-${randomUUID()}`,
    };
    for (const _ of [1, 2]) expect((await call(server.url, 'POST', '/access', body)).status).toBe(200);
    expect(growth(before, await now())).toMatchObject({
      'sorpresa_entries_total{kind="new"}': 1,
      'sorpresa_entries_total{kind="resumed"}': 1,
      sorpresa_visits_living: 1,
      'sorpresa_http_requests_total{method="POST",route="/api/access",status="2xx"}': 2,
    });
  });

  test('a refusal, by its code', async () => {
    const before = await now();
    const answer = await call(server.url, 'POST', '/access', {
      token: 'ROM-ZZZZZZZZ',
      attempt_id: randomUUID(),
      device_id: 'device-1',
    });
    expect(answer.body.codice).toBe('CODE_INVALID');
    const grown = growth(before, await now());
    expect(grown).toMatchObject({
      'sorpresa_refusals_total{code="CODE_INVALID"}': 1,
      'sorpresa_http_requests_total{method="POST",route="/api/access",status="4xx"}': 1,
    });
    expect(Object.keys(grown).filter((series) => series.includes('entries'))).toEqual([]);
  });

  test('what is refused before its call is looked at, too, by its address', async () => {
    const before = await now();
    await fetch(`${server.url}/api/access`, { method: 'POST' });
    await fetch(`${server.url}/api/access`, { method: 'DELETE' });
    expect(growth(before, await now())).toMatchObject({
      'sorpresa_refusals_total{code="FORBIDDEN_ORIGIN"}': 1,
      'sorpresa_refusals_total{code="METHOD_NOT_ALLOWED"}': 1,
      'sorpresa_http_requests_total{method="POST",route="/api/access",status="4xx"}': 1,
      'sorpresa_http_requests_total{method="DELETE",route="/api/access",status="4xx"}': 1,
    });
  });

  test('open streams, by whose they are, and a revocation that ends one', async () => {
    const token = await buildCode(server, evening);
    const before = await now();
    const stream = await listen(server.url, await enter(server, { token }));
    const pages = await listenAt(`${server.url}/api/admin/events`, evening.admin);
    const open = {
      'sorpresa_live_connections{who="visitor"}': 1,
      'sorpresa_live_connections{who="administrator"}': 1,
    };
    const during = await now();
    expect(during).toMatchObject(open);
    expect(growth(before, during)).toMatchObject({ sorpresa_visits_living: 1 });
    await revokeCode(server, evening, token);
    await stream.ended;
    pages.close();
    await expect.poll(now).toMatchObject({
      'sorpresa_live_connections{who="visitor"}': 0,
      'sorpresa_live_connections{who="administrator"}': 0,
    });
    expect(growth(before, await now())).toMatchObject({ sorpresa_visits_disconnected_total: 1 });
    expect((await now()).sorpresa_visits_living).toBe(before.sorpresa_visits_living);
  });

  test('the bytes of a film, and its address without its name', async () => {
    const cookie = await enter(server, evening);
    await walkTo(server, cookie, 'video');
    const before = await now();
    const response = await fetch(`${server.url}${evening.media.video.url}`, {
      headers: { cookie, range: 'bytes=100-1099' },
    });
    expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([206, 1_000]);
    await expect
      .poll(async () => growth(before, await now()))
      .toMatchObject({
        sorpresa_media_bytes_total: 1_000,
        'sorpresa_http_requests_total{method="GET",route="/api/media/{file}",status="2xx"}': 1,
      });
  });

  test('what is not done yet', async () => {
    expect(await now()).toMatchObject({
      sorpresa_uploads_in_work: 0,
      sorpresa_media_worker_running: 0,
      sorpresa_live_own_word_heard: 1,
      sorpresa_database_up: 1,
      'sorpresa_notifications_waiting{channel="telegram"}': expect.any(Number),
      'sorpresa_notifications_failed{channel="email"}': 0,
      nodejs_eventloop_lag_p99_seconds: expect.any(Number),
      process_resident_memory_bytes: expect.any(Number),
    });
    // Nothing is set up to tell it by: what waits is an entry, at least.
    expect((await now())['sorpresa_notifications_waiting{channel="telegram"}']).toBeGreaterThan(0);
  });

  test('the media worker, while there is one', async () => {
    const { mediaWorker } = server.deps;
    const course = { signal: new AbortController().signal, progress: () => undefined };
    await mediaWorker.do({ what: 'hues', path: 'tests/fixtures/picture.jpg' }, course);
    const { sorpresa_media_worker_running: running, ...rest } = await now();
    expect(running).toBe(1);
    expect(rest.sorpresa_media_worker_resident_bytes).toBeGreaterThan(10 * 1024 ** 2);
  });

  test('nothing of what anybody typed, stored or is called', async () => {
    const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
    const text = await response.text();
    expect(text).toContain('sorpresa_entries_total');
    for (const word of ['ROM-', evening.token.token, evening.media.video.id, 'anna', '@', 'Lei', TOKEN])
      expect(text, word).not.toContain(word);
  });
});

test('what only the database knows', async () => {
  const { deps, clock, close } = await openTestServer(sqliteDatabase);
  const metrics = openMetrics(deps);
  const told = { type: 'access', token_value: 'ROM-AAAAAAAA', success: true, device_id: 'd' } as const;
  for (const _ of [1, 2]) await deps.inTransaction((tx) => enqueueNotification(tx, told, clock.now()));
  await deps.inTransaction(async (tx) => {
    const { id = '' } = (await tx.selectFrom('notifications').select('id').executeTakeFirst()) ?? {};
    await tx.updateTable('notifications').set({ last_error: 'no' }).where('id', '=', id).execute();
  });
  expect(readText(await metrics.text())).toMatchObject({
    sorpresa_visits_living: 0,
    'sorpresa_notifications_waiting{channel="telegram"}': 2,
    'sorpresa_notifications_failed{channel="telegram"}': 1,
    'sorpresa_notifications_waiting{channel="email"}': 0,
  });
  metrics.close();
  await close();
});

describe('what goes wrong', () => {
  const watching = async (change: Partial<TestServer['deps']>) => {
    const metrics = openMetrics({ ...server.deps, ...change });
    try {
      return readText(await metrics.text());
    } finally {
      metrics.close();
    }
  };

  test('a database that does not answer: what only it knows is missing, not nought', async () => {
    const database = await sqliteDatabase();
    await database.drop();
    const seen = await watching({ db: database.db });
    expect(seen).toMatchObject({ sorpresa_database_up: 0, sorpresa_uploads_in_work: 0 });
    expect(seen).not.toHaveProperty('sorpresa_visits_living');
    expect(seen).not.toHaveProperty('sorpresa_notifications_waiting{channel="telegram"}');
  });

  test('a node that does not hear itself', async () => {
    const seen = await watching({ live: { ...server.deps.live, hears: () => false } });
    expect(seen.sorpresa_live_own_word_heard).toBe(0);
  });
});

describe('who does not ask', () => {
  /** Says which of these packages a process has looked for. */
  const WATCH = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (['prom-client', 'pino'].includes(name)) console.log('loads ' + name);
      return next(name, context);
    } });`;
  const loadedWith = async (env: Record<string, string>) => {
    const dataDir = await newFolder();
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(WATCH)}`;
    const product = await spawnServer({ dataDir, env: { ...env, NODE_OPTIONS } });
    await product.end('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
    return [...new Set(product.output().match(/^loads \S+$/gm))].toSorted();
  };

  test('has no prom-client in memory', async () => {
    expect(await loadedWith({})).toEqual(['loads pino']);
    expect(await loadedWith({ METRICS_TOKEN: TOKEN })).toEqual(['loads pino', 'loads prom-client']);
  });
});
