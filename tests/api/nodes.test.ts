import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readAdmin } from '../../src/server/auth/actor.ts';
import type { Deps } from '../../src/server/deps.ts';
import { forgetFailedEntries } from '../../src/server/features/logs/refused-tries.ts';
import { sweepMedia } from '../../src/server/features/media/sweep.ts';
import { setTokenActive } from '../../src/server/features/tokens/tokens.ts';
import { sweepSessions } from '../../src/server/features/visit/sessions.ts';
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
import { accessRow } from '../support/rows.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Several nodes on one PostgreSQL. */

const DAY = 24 * 3_600_000;
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
const start = (options: Pick<Parameters<typeof startServer>[0] & object, 'machine'> = {}, env = {}) => {
  const { DATA_DIR: dataDir, DATABASE_URL = '' } = database.env;
  return startServer({ dataDir, env: { DATABASE_URL, ...env }, ...options });
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

test('closes the live channel at one node when a code is revoked at the other', async () => {
  const token = await buildCode(first, evening);
  const cookie = await enter(second, { token });
  await walkTo(second, cookie, 'video');
  const events = await fetch(`${second.url}/api/visit/events`, { headers: { cookie } });
  expect(events.status).toBe(200);
  await revokeCode(first, evening, token);
  const received = await events.text();
  expect(received).toContain('"reason":"token_revoked"');
  expect((await fetch(`${second.url}${evening.media.video.url}`, { headers: { cookie } })).status).toBe(403);
});

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

test('is not ready if a node listens to the wrong database, and logs the setting', async () => {
  const elsewhere = await emptyPostgres();
  const deaf = await start({}, { DATABASE_DIRECT_URL: elsewhere.env.DATABASE_URL ?? '' });
  expect((await ready(deaf))[0]).toBe(503);
  expect((await fetch(`${deaf.url}/healthz`)).status).toBe(200);
  expect(deaf.logged()).toContain('DATABASE_DIRECT_URL must lead past it');
  for (const node of [first, second]) expect(await ready(node)).toEqual([200, undefined]);
  await deaf.stop();
  await elsewhere.remove();
});

describe('node with a clock that is ahead', () => {
  test('closes no visit that the other node serves', async () => {
    await enter(first, evening);
    expect(await sweepSessions(ahead.deps)).toBe(0);
    const sessions = await database.db.selectFrom('active_sessions').selectAll().execute();
    expect(sessions.filter(({ is_active }) => is_active).length).toBeGreaterThan(0);
  });

  test('deletes nothing before its time', async () => {
    const now = first.deps.now().getTime();
    const at = (ms: number) => new Date(now - ms).toISOString();
    const [young, old] = [90 * DAY - AHEAD / 2, 90 * DAY + AHEAD / 2];
    await database.db
      .insertInto('access_logs')
      .values([young, old].map((age) => accessRow({ success: false, created_at: at(age), id: `${age}` })))
      .execute();
    await forgetFailedEntries(ahead.deps);
    const rows = await database.db
      .selectFrom('access_logs')
      .select('id')
      .where('id', 'in', [`${young}`, `${old}`])
      .execute();
    expect(rows).toEqual([{ id: `${young}` }]);
    const keys = [DAY - AHEAD / 2, DAY + AHEAD / 2].map((age, n) => ({
      key: `${'ef'[n]}.mp4`,
      seen_at: at(age),
    }));
    await database.db.insertInto('media_orphans').values(keys).execute();
    for (const { key } of keys) await first.deps.storage.put(key, Readable.from([Buffer.from('x')]));
    await sweepMedia(ahead.deps);
    expect(await Promise.all(keys.map(({ key }) => first.deps.storage.size(key)))).toEqual([1, null]);
  });

  test('is not ready, with a reason logged once, and logs once that it is correct again', async () => {
    expect([await ready(first), await ready(ahead)]).toEqual([
      [200, undefined],
      [503, 'clock'],
    ]);
    const lines = (word: string) =>
      ahead
        .logged()
        .split('\n')
        .filter((line) => line.includes(word));
    expect(lines('ahead_ms')).toHaveLength(1);
    expect(JSON.parse(lines('ahead_ms')[0] ?? '')).toMatchObject({ level: 40 });
    skew = 0;
    expect(await ready(ahead)).toEqual([200, undefined]);
    expect(await ready(ahead)).toEqual([200, undefined]);
    expect(lines('ahead_ms')).toHaveLength(2);
    expect(lines('not ready')).toEqual([]);
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
