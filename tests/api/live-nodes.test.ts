import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readAdmin } from '../../src/server/auth/actor.ts';
import type { Deps } from '../../src/server/deps.ts';
import { setTokenActive } from '../../src/server/features/tokens/tokens.service.ts';
import { emptyPostgres, postgresDatabase, type TestDatabase } from '../support/databases.ts';
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
/** The nodes' looks into the database, which find what nobody has said: here they come when a test wants them, and never by themselves. */
const looks: (() => void)[] = [];
const LOOK_EVERY = 4_000;
beforeAll(async () => {
  database = await postgresDatabase();
  const { DATA_DIR: dataDir, DATABASE_URL = '' } = database.env;
  const start = () => startServer({ dataDir, env: { DATABASE_URL } });
  const every = globalThis.setInterval;
  const put = vi.spyOn(globalThis, 'setInterval');
  put.mockImplementation((work, ms, ...args) => {
    if (ms !== LOOK_EVERY) return every(work, ms, ...args);
    looks.push(work);
    return every(() => undefined, ms);
  });
  nodes = [await start(), await start()];
  put.mockRestore();
  expect(looks).toHaveLength(nodes.length);
  evening = await prepareEvening(nodes[0]);
});
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
  await revokeCode(first, evening, token);
  const said = await events.text();
  expect(said).toContain('"reason":"token_revoked"');
  expect((await fetch(`${second.url}${evening.media.video.url}`, { headers: { cookie } })).status).toBe(403);
});

test('a revocation is heard by the commit alone: what its node would say after it is not needed', async () => {
  const [first, second] = nodes;
  const token = await buildCode(first, evening);
  const events = await listenAt(`${second.url}/api/visit/events`, await enter(second, { token }));
  const dying = dyingAtItsCommit(first);
  const actor = await readAdmin(first.deps.auth, new Headers({ cookie: evening.admin }));
  await setTokenActive(dying, actor ?? expect.unreachable(), { id: token.id, attivo: false });
  expect(await events.ended).toContain('"reason":"token_revoked"');
});

test('a revocation that nobody says is found in the database by the next look', async () => {
  const [first, second] = nodes;
  const token = await buildCode(first, evening);
  const events = await listenAt(`${second.url}/api/visit/events`, await enter(second, { token }));
  await first.deps.db.updateTable('tokens').set({ attivo: false }).where('id', '=', token.id).execute();
  for (const look of looks) look();
  expect(await events.ended).toContain('"reason":"token_revoked"');
});

test('a node that listens where nothing is said isn’t ready, and says which setting it is', async () => {
  const elsewhere = await emptyPostgres();
  const { DATA_DIR: dataDir, DATABASE_URL = '' } = database.env;
  const DATABASE_DIRECT_URL = elsewhere.env.DATABASE_URL ?? '';
  const deaf = await startServer({ dataDir, env: { DATABASE_URL, DATABASE_DIRECT_URL } });
  expect((await fetch(`${deaf.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${deaf.url}/healthz`)).status).toBe(200);
  expect(deaf.logged()).toContain('DATABASE_DIRECT_URL must lead past it');
  for (const { url } of nodes) expect((await fetch(`${url}/readyz`)).status).toBe(200);
  await deaf.stop();
  await elsewhere.remove();
});

test('what changes at one node is told to the administrator’s pages at the other', async () => {
  const [first, second] = nodes;
  const heard = await listenAt(`${second.url}/api/admin/events`, evening.admin);
  await first.deps.live.publish({ type: 'changed', topics: ['answers'] });
  await expect.poll(() => heard.text(), { timeout: 5_000 }).toContain('"answers"');
  ok(await call(first.url, 'POST', '/auth/sign-out', {}, { cookie: evening.admin }));
  expect(await heard.ended).toContain('event: bye');
});

/** The same node, but for all that it says after a commit. */
function dyingAtItsCommit({ deps }: TestServer): Deps {
  const publish = () => Promise.resolve();
  return {
    ...deps,
    live: {
      ...deps.live,
      publish,
      publishIn: async (tx, message) => {
        await deps.live.publishIn(tx, message);
        return () => {};
      },
    },
  };
}
