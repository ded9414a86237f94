import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY_MS, DISK_SPACE, HOUR_MS, MINUTE_MS } from '../../src/domain/limits.ts';
import { proofOf } from '../../src/server/features/address/ask.ts';
import {
  readReadiness,
  requestChecks,
  runScheduledChecks,
  startReadinessJob,
  updateSchedule,
} from '../../src/server/features/ready/ready.ts';
import { setTokenActive } from '../../src/server/features/tokens/tokens.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { noticesOf } from '../support/product.ts';
import { configure, makeCode } from '../support/visits.ts';

let server: TestServer;
/** Number of requests to the address: one per run of the checks. */
let requests: number;
let site: ReturnType<typeof createServer>;
beforeEach(async () => {
  // The clock is at 20:00 in Italy.
  server = await openTestServer(sqliteDatabase);
  requests = 0;
  site = createServer(({ url = '' }, response) => {
    requests += 1;
    const nonce = new URL(url, 'http://localhost').searchParams.get('nonce') ?? '';
    response.end(JSON.stringify({ proof: proofOf(server.deps.secret, nonce) }));
  });
  await new Promise<void>((opened) => site.listen(0, '127.0.0.1', opened));
  server.deps.env.PUBLIC_URL = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterEach(async () => {
  site.closeAllConnections();
  site.close();
  await server.close();
});

const read = () => readReadiness(server.ctx, null);
const going = new AbortController().signal;
const watch = () => runScheduledChecks(server.deps, going);
const notifiedReasons = async () => (await noticesOf(server, 'not_ready')).map(({ reasons }) => reasons);
const takeBack = (id: string) => setTokenActive(server.ctx, { id, attivo: false });

test('is not ready on an empty install, and names the page that fixes each reason', async () => {
  const { verdict, reasons, prepared } = await read();
  expect(prepared).toContainEqual(expect.objectContaining({ id: 'main_video', state: 'missing' }));
  expect(verdict).toBe('not_ready');
  expect(reasons.flatMap(({ id, level, page }) => (level === 'red' ? [`${id} ${page}`] : []))).toEqual([
    'main_video /admin/video',
    'post_phrases /admin/frasi',
    'usable_code /admin/token',
    'titles_1 /admin/testi-destinazione',
  ]);
});

test('reports what else is prepared, with its current state', async () => {
  await configure(server);
  await makeCode(server, { giorni: 1 });
  const state = async (of: string) => (await read()).prepared.find(({ id }) => id === of)?.state;
  expect([await state('main_video'), await state('usable_code')]).toEqual(['ready', 'ready']);
  server.clock.advance(DAY_MS);
  expect([await state('usable_code'), await state('codes_closed')]).toEqual([undefined, 'missing']);
  server.deps.uploads.folder.freeBytes = async () => DISK_SPACE.low;
  expect(await state('disk_room')).toBeUndefined();
  server.deps.uploads.folder.freeBytes = async () => DISK_SPACE.low - 1;
  expect(await state('disk_room')).toBe('warning');
});

test('reports from where the address opens, by the settings or else by the requested host', async () => {
  const { env } = server.deps;
  await configure(server);
  await makeCode(server, { giorni: null });
  const levels = async (host: string | null) => {
    const { reasons } = await readReadiness(server.ctx, host);
    return reasons.filter(({ id }) => id.startsWith('address')).map(({ id, level }) => `${id} ${level}`);
  };
  expect(await levels('sera.example')).toContain('address_here red');
  Object.assign(env, { PUBLIC_URL: undefined, HOST: '0.0.0.0' });
  expect(await levels('localhost:3000')).toEqual(['address_here red']);
  expect(await levels('192.168.1.20:3000')).toEqual(['address amber']);
  env.HOST = '127.0.0.1';
  expect(await levels(null)).toEqual(['address_here red']);
  // Visitors that come through a proxy come from other machines.
  env.TRUSTED_PROXIES = ['127.0.0.1'];
  expect(await levels(null)).toEqual(['address amber']);
  env.PUBLIC_URL = 'https://sera.example';
  expect(await levels('localhost:3000')).toEqual(['address_untried amber']);
});

test('warns about a text with {nome} while no name is set, without blocking', async () => {
  const ofName = async () => (await read()).reasons.filter(({ id }) => id === 'her_name');
  await configure(server, { frasi: ['Ciao, {nome}!'], recipient_name: null });
  expect(await ofName()).toEqual([{ id: 'her_name', level: 'amber', page: '/admin/serata', part: null }]);
  await configure(server, { frasi: ['Ciao, {nome}!'], recipient_name: 'Giulia' });
  expect(await ofName()).toEqual([]);
});

test('runs the checks on request, in one of several processes, and reports the time', async () => {
  await watch();
  expect(await read()).toMatchObject({ asked_at: null, progress: null });
  await requestChecks(server.ctx);
  expect((await read()).progress).toEqual({ done: 0, total: 0 });
  await Promise.all([watch(), watch(), watch()]);
  expect(requests).toBe(1);
  expect(await read()).toMatchObject({ asked_at: server.clock.now().toISOString(), progress: null });
  await watch();
  expect(requests).toBe(1);
});

test('resumes checks that were aborted; those of a process that died, after a quarter of an hour', async () => {
  await watch();
  await requestChecks(server.ctx);
  await runScheduledChecks(server.deps, AbortSignal.abort());
  expect(requests).toBe(0);
  const died = new Date(server.clock.now().getTime() + 15 * MINUTE_MS).toISOString();
  await server.deps.inTransaction((tx) => updateSchedule(tx, { asking_until: died, done: 1, total: 4 }));
  await watch();
  expect((await read()).progress).toEqual({ done: 1, total: 4 });
  server.clock.advance(15 * MINUTE_MS);
  await watch();
  expect(requests).toBe(1);
});

test('runs the checks each night, and notifies once of what has become red since', async () => {
  await configure(server);
  const { id } = await makeCode(server, { giorni: null });
  await watch();
  // 3:29 in Italy.
  server.clock.advance(7 * HOUR_MS + 29 * MINUTE_MS);
  await watch();
  expect(requests).toBe(0);
  server.clock.advance(MINUTE_MS);
  await Promise.all([watch(), watch()]);
  expect(requests).toBe(1);
  // The first night only records the state.
  expect(await notifiedReasons()).toEqual([]);
  await takeBack(id);
  server.clock.advance(DAY_MS);
  await watch();
  expect(await notifiedReasons()).toEqual([['codes_closed']]);
  server.clock.advance(DAY_MS);
  await watch();
  expect(requests).toBe(3);
  expect(await notifiedReasons()).toEqual([['codes_closed']]);
});

test('runs the checks 24 hours, 2 hours and 15 minutes before the opening', async () => {
  const opens = server.clock.now().getTime() + 3 * DAY_MS + 7 * HOUR_MS;
  await configure(server, { opens_at: new Date(opens).toISOString() });
  await makeCode(server, { giorni: null });
  await watch();
  const goTo = (moment: number) => server.clock.advance(moment - server.clock.now().getTime());
  for (const before of [DAY_MS, 2 * HOUR_MS, 15 * MINUTE_MS]) {
    goTo(opens - before - 1);
    await watch();
    const until = requests;
    server.clock.advance(1);
    await watch();
    await watch();
    expect(requests).toBe(until + 1);
  }
});

test('notifies before the opening of red reasons that no run has recorded yet', async () => {
  const opens = server.clock.now().getTime() + 3 * HOUR_MS;
  await configure(server, { opens_at: new Date(opens).toISOString() });
  await watch();
  server.clock.advance(HOUR_MS);
  await watch();
  expect((await notifiedReasons())[0]).toContain('usable_code');
});

test('runs the checks at once on request, and not after the stop', async () => {
  await configure(server);
  await makeCode(server);
  const stop = startReadinessJob(server.deps);
  const rows = async (table: 'ready_watch' | 'ready_tries') =>
    (await server.deps.db.selectFrom(table).select('id').execute()).length;
  await expect.poll(() => rows('ready_watch')).toBe(1);
  server.messages.length = 0;
  await requestChecks(server.ctx);
  const done = { asked_at: expect.any(String), progress: null };
  await expect.poll(read).toMatchObject(done);
  // Published with the request, at each step, and at the end.
  const checks = await rows('ready_tries');
  expect(checks).toBeGreaterThan(3);
  expect(server.messages.length).toBeGreaterThanOrEqual(checks + 2);
  await stop();
  await requestChecks(server.ctx);
  expect((await read()).progress).toEqual({ done: 0, total: 0 });
});
