import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAILED_CODES } from '../../src/domain/limits.ts';
import { forgetFailedEntries } from '../../src/server/features/logs/retention.ts';
import { sweepMedia } from '../../src/server/features/media/media.sweeper.ts';
import { sweepSessions } from '../../src/server/features/visit/sessions.service.ts';
import { postgresDatabase, type TestDatabase } from '../support/databases.ts';
import { call } from '../support/http.ts';
import { type Evening, enter, prepareEvening } from '../support/http-evening.ts';
import { accessRow } from '../support/rows.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** A node whose machine is five minutes ahead, and one that is right. */
const AHEAD = 300_000;
const DAY = 24 * 3_600_000;

let database: TestDatabase;
let right: TestServer;
let ahead: TestServer;
let evening: Evening;
let skew = AHEAD;
beforeAll(async () => {
  database = await postgresDatabase();
  const { DATA_DIR: dataDir, DATABASE_URL = '' } = database.env;
  right = await startServer({ dataDir, env: { DATABASE_URL } });
  const machine = () => ({ wall: Date.now() + skew, steady: performance.now() });
  ahead = await startServer({ dataDir, env: { DATABASE_URL }, machine });
  evening = await prepareEvening(right);
});
afterAll(async () => {
  await Promise.all([right, ahead].map((node) => node.stop()));
  await database.drop();
});

const ready = async ({ url }: TestServer) => {
  const answer = await fetch(`${url}/readyz`);
  return [answer.status, ((await answer.json()) as { reason?: string }).reason];
};
const lines = (word: string) =>
  ahead
    .logged()
    .split('\n')
    .filter((line) => line.includes(word));

test('closes no visit, which the other node hears', async () => {
  await enter(right, evening);
  expect(await sweepSessions(ahead.deps)).toBe(0);
  const open = await database.db.selectFrom('active_sessions').select('is_active').execute();
  expect(open).toEqual([{ is_active: true }]);
});

test('judges wrong codes no faster than one node does', async () => {
  const began = performance.now();
  for (let n = 0; n < 50; n += 1) {
    const body = { token: `ROM-SBAGLIATO-${n}`, attempt_id: randomUUID(), device_id: 'device-1-x' };
    const answer = await call((n % 2 === 0 ? right : ahead).url, 'POST', '/access', body);
    expect(answer.body.codice).toBe('CODE_INVALID');
  }
  // However slow the machine is: the limit gives one back in so long.
  const { atOnce, everyMs } = FAILED_CODES.network;
  expect(50).toBeLessThanOrEqual(atOnce + Math.floor((performance.now() - began) / everyMs));
});

test('takes no lease that the other has', async () => {
  const lease = await right.deps.uploads.leases.take('work:x');
  expect(await ahead.deps.uploads.leases.take('work:x')).toBeNull();
  await lease?.release();
});

test('neither forgets nor removes anything before its time', async () => {
  const now = right.deps.now().getTime();
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
  for (const { key } of keys) await right.deps.storage.put(key, Readable.from([Buffer.from('x')]));
  await sweepMedia(ahead.deps);
  expect(await Promise.all(keys.map(({ key }) => right.deps.storage.size(key)))).toEqual([1, null]);
});

test('isn’t ready, with a reason, and says so once; and once that it is right again', async () => {
  expect([await ready(right), await ready(ahead)]).toEqual([
    [200, undefined],
    [503, 'clock'],
  ]);
  expect(lines('ahead_ms')).toHaveLength(1);
  expect(JSON.parse(lines('ahead_ms')[0] ?? '')).toMatchObject({ level: 40 });
  skew = 0;
  expect(await ready(ahead)).toEqual([200, undefined]);
  expect(await ready(ahead)).toEqual([200, undefined]);
  expect(lines('ahead_ms')).toHaveLength(2);
  expect(lines('not ready')).toEqual([]);
});
