import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readAdmin } from '../../src/server/auth/actor.ts';
import type { Deps } from '../../src/server/deps.ts';
import { setTokenActive } from '../../src/server/features/tokens/tokens.ts';
import { sweepSessions } from '../../src/server/features/visit/sessions.ts';
import { postgresDatabase, type TestDatabase } from '../support/databases.ts';
import { listenAt } from '../support/event-source.ts';
import { call } from '../support/http.ts';
import { buildCode, type Evening, enter, ok, prepareEvening } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Several nodes on one PostgreSQL. */

/** Milliseconds by which the third node's machine is ahead. */
const AHEAD = 300_000;

let database: TestDatabase;
let first: TestServer;
let second: TestServer;
let ahead: TestServer;
let evening: Evening;
let skew = AHEAD;
/**
 * The nodes' polls of the database, which find changes without a message. Here a test runs them; they never run on a
 * timer.
 */
const looks: (() => void)[] = [];
const LOOK_EVERY = 4_000;
const start = (options: Pick<Parameters<typeof startServer>[0] & object, 'machine'> = {}) => {
  const { DATA_DIR: dataDir, DATABASE_URL = '' } = database.env;
  return startServer({ dataDir, env: { DATABASE_URL }, ...options });
};
beforeAll(async () => {
  database = await postgresDatabase();
  const every = globalThis.setInterval;
  const put = vi.spyOn(globalThis, 'setInterval');
  put.mockImplementation((work, ms, ...args) => {
    if (ms !== LOOK_EVERY) return every(work, ms, ...args);
    looks.push(work);
    return every(() => undefined, ms);
  });
  [first, second] = [await start(), await start()];
  ahead = await start({ machine: () => ({ wall: Date.now() + skew, steady: performance.now() }) });
  put.mockRestore();
  expect(looks).toHaveLength(3);
  evening = await prepareEvening(first);
});
afterAll(async () => {
  await Promise.all([first, second, ahead].map((node) => node.stop()));
  await database.drop();
});

const ready = async ({ url }: TestServer) => {
  const answer = await fetch(`${url}/readyz`);
  return [answer.status, ((await answer.json()) as { reason?: string }).reason];
};

test('publishes a revocation with its commit, independent of any message after it', async () => {
  const token = await buildCode(first, evening);
  const events = await listenAt(`${second.url}/api/visit/events`, await enter(second, { token }));
  const dying = dyingAtItsCommit(first);
  const actor = await readAdmin(first.deps.auth, new Headers({ cookie: evening.admin }));
  await setTokenActive({ ...dying, actor: actor ?? expect.unreachable() }, { id: token.id, attivo: false });
  expect(await events.ended).toContain('"reason":"token_revoked"');
});

test('finds a revocation without a message with the next poll of the database', async () => {
  const token = await buildCode(first, evening);
  const events = await listenAt(`${second.url}/api/visit/events`, await enter(second, { token }));
  await first.deps.db.updateTable('tokens').set({ attivo: false }).where('id', '=', token.id).execute();
  for (const look of looks) look();
  expect(await events.ended).toContain('"reason":"token_revoked"');
});

describe('node with a clock that is ahead', () => {
  test('closes no visit that the other node serves', async () => {
    await enter(first, evening);
    expect(await sweepSessions(ahead.deps)).toBe(0);
    const sessions = await database.db.selectFrom('active_sessions').selectAll().execute();
    expect(sessions.filter(({ is_active }) => is_active).length).toBeGreaterThan(0);
  });

  test('is not ready, states the reason, and is ready once the clock is correct', async () => {
    expect(await ready(first)).toEqual([200, undefined]);
    expect(await ready(ahead)).toEqual([503, 'clock']);
    skew = 0;
    expect(await ready(ahead)).toEqual([200, undefined]);
  });
});

test('publishes changes at one node to the administrator’s pages at the other', async () => {
  const channel = await listenAt(`${second.url}/api/admin/events`, evening.admin);
  await first.deps.live.publish({ type: 'changed', topics: ['answers'] });
  await expect.poll(() => channel.text(), { timeout: 5_000 }).toContain('"answers"');
  ok(await call(first.url, 'POST', '/auth/sign-out', {}, { cookie: evening.admin }));
  expect(await channel.ended).toContain('event: bye');
});

/** Returns the same node without the messages it sends after a commit. */
function dyingAtItsCommit({ deps }: TestServer): Deps {
  const publish = () => Promise.resolve();
  return {
    ...deps,
    live: {
      ...deps.live,
      publish,
      publishInTransaction: async (tx, message) => {
        await deps.live.publishInTransaction(tx, message);
        return () => {};
      },
    },
  };
}
