import { afterAll, beforeAll, expect, test } from 'vitest';
import { postgresDatabase, type TestDatabase } from '../support/databases.ts';
import { listenAt } from '../support/event-source.ts';
import { call } from '../support/http.ts';
import {
  buildCode,
  type Evening,
  enter,
  ok,
  prepareEvening,
  revokeCode,
  walkTo,
} from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';

let database: TestDatabase;
let nodes: [TestServer, TestServer];
let evening: Evening;
beforeAll(async () => {
  database = await postgresDatabase();
  const { DATA_DIR: dataDir, DATABASE_URL = '' } = database.env;
  const start = () => startServer({ dataDir, env: { DATABASE_URL } });
  nodes = [await start(), await start()];
  evening = await prepareEvening(nodes[0]);
}, 60_000);
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await database.drop();
});

test('an evening begun on one node of a PostgreSQL goes on at the other, media included', async () => {
  const [first, second] = nodes;
  const cookie = await enter(first, evening);
  await walkTo(second, cookie, 'video');
  const video = await fetch(`${second.url}${evening.media.video.url}`, { headers: { cookie } });
  expect(video.status).toBe(200);
  expect((await video.arrayBuffer()).byteLength).toBe(evening.media.video.size);
});

test('a code revoked at one node cuts the live channel at the other', async () => {
  const [first, second] = nodes;
  const token = await buildCode(first, evening);
  const cookie = await enter(second, { token });
  await walkTo(second, cookie, 'video');
  const events = await fetch(`${second.url}/api/visit/events`, { headers: { cookie } });
  expect(events.status).toBe(200);
  const began = performance.now();
  await revokeCode(first, evening, token);
  const said = await events.text();
  expect(performance.now() - began).toBeLessThan(3_000);
  expect(said).toContain('"reason":"token_revoked"');
  expect((await fetch(`${second.url}${evening.media.video.url}`, { headers: { cookie } })).status).toBe(403);
});

test('what changes at one node is told to the administrator’s pages at the other', async () => {
  const [first, second] = nodes;
  const heard = await listenAt(`${second.url}/api/admin/events`, evening.admin);
  await first.deps.live.publish({ type: 'changed', topics: ['answers'] });
  await expect.poll(() => heard.text(), { timeout: 5_000 }).toContain('"answers"');
  ok(await call(first.url, 'POST', '/auth/sign-out', {}, { cookie: evening.admin }));
  expect(await heard.ended).toContain('event: bye');
});
