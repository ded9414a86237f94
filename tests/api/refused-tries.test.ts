import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { REFUSED_TRIES } from '../../src/domain/limits.ts';
import { readDashboard } from '../../src/server/features/dashboard/dashboard.service.ts';
import { listLogs } from '../../src/server/features/logs/logs.service.ts';
import { type RefusedTry, recordRefusedTry } from '../../src/server/features/logs/refused-tries.service.ts';
import { countRefusedTries } from '../../src/server/features/logs/retention.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { flood, refusedRows, tableBytes } from '../support/flood.ts';
import { checkLaws } from '../support/laws.ts';
import { comeIn, configure, makeCode } from '../support/visits.ts';

const MB = 1024 ** 2;
const DAY = 24 * 3_600_000;

/** As long as one can be. */
const longest = (token_id: string | null): RefusedTry => ({
  token_id,
  token_value: 'W'.repeat(5_000),
  device_id: 'd'.repeat(100),
  user_agent: 'è'.repeat(500),
  error_message: 'Codice già utilizzato il numero massimo di volte',
  reason: 'too_many_attempts',
  notification: {
    type: 'access',
    success: false,
    token_value: 'W'.repeat(64),
    error_message: 'Codice già utilizzato il numero massimo di volte',
  },
});

const record = ({ deps }: TestServer, count: number, token_id: string | null) =>
  deps.inTransaction(async (tx) => {
    for (let n = 0; n < count; n += 1) await recordRefusedTry(tx, longest(token_id), deps.now());
  });

const COPIED = {
  access_logs: ['token_id', 'token_value', 'success', 'error_message', 'created_at'],
  event_logs: [
    'event_type',
    'token_id',
    'token_value',
    'device_id',
    'user_agent',
    'success',
    'error_message',
    'metadata',
    'created_at',
  ],
  notifications: ['type', 'priority', 'payload', 'attempts', 'next_attempt_at', 'created_at'],
};

/** Rows that one statement copies: for all of them a slow machine takes longer than a statement may. */
const AT_ONCE = 1_000;

/** One try is recorded, and its rows copied: so many are there then. */
async function recordMany(server: TestServer, count: number, token_id: string | null): Promise<void> {
  const { db } = server.deps;
  const at = server.clock.now().toISOString();
  await record(server, 1, token_id);
  for (const [table, names] of Object.entries(COPIED)) {
    const columns = sql.join(names.map((name) => sql.ref(name)));
    const own = table === 'notifications' ? sql`payload like '%"success":false%'` : sql`success = false`;
    for (let from = 2; from <= count; from += AT_ONCE)
      await sql`insert into ${sql.table(table)} (id, ${columns})
        with recursive n(i) as (
          select ${sql.lit(from)} union all select i + 1 from n where i < ${sql.lit(Math.min(count, from + AT_ONCE - 1))}
        )
        select ${at} || '-' || i, ${columns} from n,
          (select * from ${sql.table(table)} where created_at = ${at} and ${own} order by id limit 1) as one`.execute(
        db,
      );
  }
}

test('refused tries keep 20,000 rows and 20 MB at most; older ones are counted by the day, those of codes that exist stay', async () => {
  const server = await openTestServer(sqliteDatabase);
  const { db } = server.deps;
  await configure(server);
  const { id, token } = await makeCode(server);
  await comeIn(server, token);
  await record(server, 100, id);
  server.clock.advance(DAY);
  await recordMany(server, REFUSED_TRIES.guesses + 300, null);
  server.clock.advance(DAY);
  await record(server, 200, null);
  expect(await refusedRows(db)).toBeLessThanOrEqual(20_000);
  await countRefusedTries(server.deps);
  const kept = await db.selectFrom('access_logs').select(['token_id', 'success']).execute();
  expect(kept.filter(({ success }) => success)).toHaveLength(1);
  expect(kept.filter((row) => !row.success && row.token_id === id)).toHaveLength(100);
  expect(kept.filter((row) => row.token_id === null)).toHaveLength(REFUSED_TRIES.guesses);
  const { accessi_per_giorno } = await readDashboard(server.deps, server.actor);
  expect(accessi_per_giorno.slice(-3)).toEqual([
    { giorno: '2027-02-14', riusciti: 1, rifiutati: 100 },
    { giorno: '2027-02-15', riusciti: 0, rifiutati: REFUSED_TRIES.guesses + 300 },
    { giorno: '2027-02-16', riusciti: 0, rifiutati: 200 },
  ]);
  const logs = await listLogs(server.deps, server.actor, { event_type: 'access_denied' });
  expect(logs).toMatchObject({ solo_contati: 500, totale: 100 + REFUSED_TRIES.guesses });
  server.clock.advance(DAY);
  await recordMany(server, REFUSED_TRIES.ofCodes, id);
  // The room is full, but for the counters: these are small, see the flood.
  expect(await tableBytes(server.database)).toBeLessThan(18 * MB);
  await server.close();
});

test('one wrong code a second from 500 networks, for ten minutes, refuses no right one', async () => {
  const server = await openTestServer(sqliteDatabase);
  expect(await flood(server, 600)).toBe(600);
  expect(await refusedRows(server.deps.db)).toBeLessThan(20_000);
  expect(await checkLaws(server.deps.db, server.clock.now())).toEqual([]);
  await server.close();
});
