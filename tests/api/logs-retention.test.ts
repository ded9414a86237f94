import { expect, test } from 'vitest';
import { forgetFailedEntries } from '../../src/server/features/logs/retention.ts';
import { eventRows } from '../support/csv.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { createClock, openTestServer } from '../support/deps.ts';
import { accessRow } from '../support/rows.ts';
import { configure } from '../support/visits.ts';

const DAY = 24 * 3_600_000;
const NOW = '2027-02-14T19:00:00.000Z';
const ago = (ms: number) => new Date(Date.parse(NOW) - ms).toISOString();

test('logs of entries that failed are forgotten after 90 days, everything else stays', async () => {
  const server = await openTestServer(sqliteDatabase, createClock(NOW));
  const { db } = server.deps;
  const [event] = eventRows(1, 0);
  if (!event) throw new Error('one row');
  const kept = ['access_granted', 'session_ended', 'token_created', 'qualcosa'].map((event_type) => ({
    ...event,
    id: event_type,
    event_type,
    created_at: ago(900 * DAY),
  }));
  const denied = (id: string, created_at: string) => ({
    ...event,
    id,
    event_type: 'access_denied',
    created_at,
  });
  const old = Array.from({ length: 1_200 }, (_, n) => denied(`vecchio ${n}`, ago(90 * DAY + 1 + n)));
  const young = denied('giovane', ago(90 * DAY));
  const own = ['admin_signed_in', 'admin_password_changed'].map((event_type) => ({
    ...denied(event_type, ago(91 * DAY)),
    event_type,
  }));
  await db
    .insertInto('event_logs')
    .values([...kept, ...own, young])
    .execute();
  await db.insertInto('event_logs').values(old.slice(0, 600)).execute();
  await db.insertInto('event_logs').values(old.slice(600)).execute();
  const access = (success: boolean, created_at: string) => accessRow({ success, created_at });
  await db
    .insertInto('access_logs')
    .values([access(true, ago(900 * DAY)), access(false, ago(90 * DAY + 1)), access(false, ago(90 * DAY))])
    .execute();
  expect(await forgetFailedEntries(server.deps)).toBe(1_203);
  expect(server.messages).toEqual([{ type: 'changed', topics: ['logs'] }]);
  const events = await db.selectFrom('event_logs').select('id').execute();
  expect(new Set(events.map(({ id }) => id))).toEqual(new Set([...kept.map(({ id }) => id), 'giovane']));
  const accesses = await db.selectFrom('access_logs').select('created_at').execute();
  expect(new Set(accesses.map(({ created_at }) => created_at))).toEqual(
    new Set([ago(900 * DAY), ago(90 * DAY)]),
  );
  expect(await forgetFailedEntries(server.deps)).toBe(0);
  await server.close();
});

test('old logs are forgotten after as many days as are chosen', async () => {
  const server = await openTestServer(sqliteDatabase, createClock(NOW));
  await configure(server, { tries_kept_days: 7 });
  const access = (success: boolean, days: number) => accessRow({ success, created_at: ago(days * DAY + 1) });
  await server.deps.db
    .insertInto('access_logs')
    .values([access(false, 8), access(false, 7), access(false, 6), access(true, 8)])
    .execute();
  const days = ['2027-02-06', '2027-02-07'].map((giorno) => ({ giorno, tentativi: 3 }));
  await server.deps.db.insertInto('refused_tries_by_day').values(days).execute();
  expect(await forgetFailedEntries(server.deps)).toBe(2);
  // The numbers of those days, too.
  expect(await server.deps.db.selectFrom('refused_tries_by_day').selectAll().execute()).toEqual(
    days.slice(1),
  );
  await server.close();
});
