import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventRows, parseCsv } from '../support/csv.ts';
import { call } from '../support/http.ts';
import { type PreparedServer, spawnWithEvents } from '../support/prepared-server.ts';

const MANY = 50_000;

let server: PreparedServer<string>;
let admin: string;
beforeAll(async () => {
  server = await spawnWithEvents(MANY);
  admin = server.prepared;
});
afterAll(() => server.stop());

const download = async () => {
  const response = await fetch(`${server.url}/api/admin/logs.csv`, { headers: { cookie: admin } });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};

function open(): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const url = `${server.url}/api/admin/logs.csv`;
    get(url, { headers: { cookie: admin }, agent: false }, resolve).on('error', reject);
  });
}

test('is a file to keep, whole and in order', {
  timeout: 60_000,
}, async () => {
  const { response, bytes } = await download();
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Rome' }).format(new Date());
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="event_logs_${day}.csv"`,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  const told = parseCsv(bytes.toString('utf8'));
  // The sign-up has left an event, too.
  expect(told).toHaveLength(1 + 1 + MANY);
  const inserted = told.slice(1).filter(([, kind]) => kind !== 'Accesso all’area riservata');
  const tokens = eventRows(MANY, 1_000).map(({ token_value }) => token_value ?? 'N/A');
  expect(inserted.map(([, , token]) => token)).toEqual(tokens.toReversed());
});

test('HEAD says the same without reading', async () => {
  const answer = await call(server.url, 'HEAD', '/admin/logs.csv', undefined, { cookie: admin });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="event_logs_.*\.csv"$/);
  expect(answer.text).toBe('');
});

test('nobody else gets a line of it', async () => {
  for (const method of ['GET', 'HEAD'])
    expect((await call(server.url, method, '/admin/logs.csv')).status).toBe(401);
  const { body } = await call(server.url, 'GET', '/admin/logs.csv');
  expect(body).toEqual({ codice: 'SIGN_IN_REQUIRED', messaggio: expect.any(String) });
});

test('ten slow readers keep nobody waiting; when they leave nothing is logged as a failure', async () => {
  const lines = () => server.output().match(/"path":"\/api\/admin\/logs\.csv"/g)?.length ?? 0;
  const before = lines();
  const slow = await Promise.all(Array.from({ length: 10 }, open));
  for (const reader of slow) reader.pause();
  const made = await call(server.url, 'POST', '/admin/tokens', { nome: 'Lei' }, { cookie: admin });
  expect(made.status).toBe(201);
  for (const reader of slow) reader.on('error', () => undefined).destroy();
  await expect.poll(() => lines() - before).toBeGreaterThanOrEqual(10);
  expect(server.output()).not.toContain('the CSV broke off');
  expect((await download()).response.status).toBe(200);
});
