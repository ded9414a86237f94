import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HonoRequest } from 'hono/request';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createReadyz } from '../../src/server/http/health.ts';
import { call } from '../support/http.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterEach(() => void vi.useRealTimers());
afterAll(() => server.stop());

describe('a node', () => {
  /** A request without a query. */
  const PLAIN = { req: new HonoRequest(new Request('http://127.0.0.1/readyz')) };
  const readyz = (change: Partial<TestServer['deps']> = {}, check = async () => undefined as void) =>
    createReadyz({ ...server.deps, storage: { ...server.deps.storage, check }, ...change });
  const status = async (path: string) => (await fetch(`${server.url}${path}`)).status;

  test('is not ready while nothing can be written, although it lives and reads', async () => {
    expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ ok: true });
    expect(await status('/readyz')).toBe(200);
    await sql`pragma query_only = 1`.execute(server.deps.db);
    expect((await call(server.url, 'GET', '/site')).status).toBe(200);
    expect(await status('/readyz')).toBe(503);
    await sql`pragma query_only = 0`.execute(server.deps.db);
    expect(await status('/readyz')).toBe(200);
  });

  test('tries to write once a second at most, and at once again where it could not', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let [written, fails] = [0, false];
    const inTransaction: typeof server.deps.inTransaction = (work) => {
      written += 1;
      return fails ? Promise.reject(new Error('no')) : server.deps.inTransaction(work);
    };
    const ask = readyz({ inTransaction });
    const asked = async (times: number) => {
      const statuses: number[] = [];
      for (let time = 0; time < times; time += 1) statuses.push((await ask(PLAIN)).status);
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
  });

  test('is not ready where it hears nothing of the others', async () => {
    const live = { ...server.deps.live, hears: () => false };
    const answers = [await readyz({ live })(PLAIN), await readyz()(PLAIN)];
    expect(answers.map((answer) => answer.status)).toEqual([503, 200]);
  });

  test('waits three seconds for its storage, and longer where it stood still itself', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    let over = false;
    const asked = Promise.resolve(readyz({}, () => new Promise(() => undefined))(PLAIN));
    const late = asked.finally(() => (over = true));
    await vi.advanceTimersByTimeAsync(2_900);
    expect(over).toBe(false);
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await late).status).toBe(503);
    vi.useRealTimers();
    const still = readyz({}, async () => {
      await new Promise(setImmediate);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_500);
      await stat(server.deps.env.DATA_DIR);
    });
    expect((await still(PLAIN)).status).toBe(200);
  });

  test('is not ready without its files, but for who leaves them out', async () => {
    await rm(join(server.deps.env.DATA_DIR, 'media'), { recursive: true });
    const refused = await fetch(`${server.url}/readyz`);
    expect([refused.status, await refused.json()]).toEqual([
      503,
      { codice: 'UNAVAILABLE', messaggio: 'Servizio momentaneamente non disponibile. Riprova tra poco.' },
    ]);
    const paths = ['/healthz', '/readyz?exclude=storage', '/readyz?exclude=nothing-we-know'];
    expect(await Promise.all(paths.map(status))).toEqual([200, 200, 503]);
  });
});

test('the API’s document describes every address, its methods and refusals, and no other', async () => {
  type Operation = { summary: string; security?: object[]; responses: Record<string, object> };
  type Document = {
    paths: Record<string, Record<string, Operation>>;
    components: { securitySchemes: object };
  };
  const document = await fetch(`${server.url}/api/openapi.json`);
  const { paths, components } = (await document.json()) as Document;
  const served = server.app.endpoints.map(({ path, method }) => `${method} ${path}`);
  const named = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(named.toSorted()).toEqual([...served, 'GET /healthz', 'GET /readyz'].toSorted());
  for (const [path, methods] of Object.entries(paths))
    for (const { summary, security = [] } of Object.values(methods)) {
      expect(summary, path).toMatch(/\S/);
      for (const cookie of security.flatMap(Object.keys))
        expect(components.securitySchemes, path).toHaveProperty(cookie);
    }
  const refusals = paths['/access']?.['post']?.responses ?? {};
  expect(JSON.stringify(refusals['403'])).toContain('CODE_EXHAUSTED');
  expect(JSON.stringify(refusals['429'])).toContain('TOO_MANY_ATTEMPTS');
});
