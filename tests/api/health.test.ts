import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenAPI } from '@orpc/openapi';
import { HonoRequest } from 'hono/request';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createReadyz } from '../../src/server/http/health.ts';
import { call } from '../support/http.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** A request without a query. */
const NOTHING_MORE = { req: new HonoRequest(new Request('http://127.0.0.1/readyz')) };

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

describe('health', () => {
  test('the process says that it is alive', async () => {
    const response = await fetch(`${server.url}/healthz`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ok: true });
  });

  test('ready while database and storage answer, 503 in Italian when one does not', async () => {
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    const media = join(server.deps.env.DATA_DIR, 'media');
    await rm(media, { recursive: true });
    const refused = await fetch(`${server.url}/readyz`);
    expect(refused.status).toBe(503);
    expect(await refused.json()).toEqual({
      codice: 'UNAVAILABLE',
      messaggio: 'Servizio momentaneamente non disponibile. Riprova tra poco.',
    });
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    // Whoever shares visitors out goes on: nothing but files is missing.
    expect((await fetch(`${server.url}/readyz?exclude=storage`)).status).toBe(200);
    expect((await fetch(`${server.url}/readyz?exclude=nothing-we-know`)).status).toBe(503);
  });
});

test('not ready while nothing can be written, although reading goes well', async () => {
  const own = await startServer();
  const { db } = own.deps;
  const status = async () => (await fetch(`${own.url}/readyz?exclude=storage`)).status;
  await sql`pragma query_only = 1`.execute(db);
  expect((await call(own.url, 'GET', '/site')).status).toBe(200);
  expect(await status()).toBe(503);
  await sql`pragma query_only = 0`.execute(db);
  expect(await status()).toBe(200);
  await own.stop();
});

test('it is tried no more than once a second whether something can be written, and at once again where it could not', async () => {
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
  const asked = async (times: number) => {
    const statuses: number[] = [];
    for (let time = 0; time < times; time += 1) statuses.push((await ask(NOTHING_MORE)).status);
    return [...statuses, written];
  };
  expect(await asked(3)).toEqual([200, 200, 200, 1]);
  vi.advanceTimersByTime(999);
  expect(await asked(1)).toEqual([200, 1]);
  vi.advanceTimersByTime(1);
  fails = true;
  expect(await asked(2)).toEqual([503, 503, 3]);
  fails = false;
  expect(await asked(2)).toEqual([200, 200, 4]);
  vi.useRealTimers();
});

test('a node that hears nothing of the others is not ready', async () => {
  const live = { ...server.deps.live, hears: () => false };
  const storage = { ...server.deps.storage, check: async () => undefined };
  expect((await createReadyz({ ...server.deps, storage, live })(NOTHING_MORE)).status).toBe(503);
  expect((await createReadyz({ ...server.deps, storage })(NOTHING_MORE)).status).toBe(200);
});

describe('what takes long', () => {
  const readyWhen = (check: () => Promise<void>) =>
    createReadyz({ ...server.deps, storage: { ...server.deps.storage, check } })(NOTHING_MORE);

  test('is waited for three seconds', async () => {
    const { status } = await readyWhen(() => new Promise(() => undefined));
    expect(status).toBe(503);
  });

  test('is waited for longer by a process that stood still itself', async () => {
    const response = await readyWhen(async () => {
      await new Promise(setImmediate);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_000);
      await stat(server.deps.env.DATA_DIR);
    });
    expect(response.status).toBe(200);
  });
});

describe('the document of the API', () => {
  test('describes every address the server answers, with its methods, and no other', async () => {
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

  test('names the refusals of a call', async () => {
    const text = await (await fetch(`${server.url}/api/openapi.json`)).text();
    const enter = JSON.parse(text).paths['/access'].post;
    expect(JSON.stringify(enter.responses['403'])).toContain('CODE_EXHAUSTED');
    expect(JSON.stringify(enter.responses['429'])).toContain('TOO_MANY_ATTEMPTS');
  });
});
