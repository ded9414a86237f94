import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readDashboard } from '../../src/server/features/dashboard/dashboard.service.ts';
import { nextSingle } from '../../src/server/features/notifications/sending.repo.ts';
import { countEnded, listEnded, listOpen } from '../../src/server/features/sessions/session-list.repo.ts';
import { closeSilentSessions } from '../../src/server/features/visit/closing.repo.ts';
import { eachDatabase, sqliteDatabase, type TestDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';

/** What is looked at again and again costs the same however much has come together: the database says how it goes about it. */

type Sent = { sql: string; parameters: readonly unknown[] };

/** The statements that are sent meanwhile. */
async function sentBy(
  database: TestDatabase,
  work: (db: TestDatabase['db']) => Promise<unknown>,
): Promise<Sent[]> {
  const sent: Sent[] = [];
  const watched = database.db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      sent.push(database.db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await work(watched);
  return sent;
}

const explained = (db: TestDatabase['db'], words: string, query: Sent) =>
  db.executeQuery<Record<string, string>>({
    ...sql`select 1`.compile(db),
    sql: `${words} ${query.sql}`,
    parameters: query.parameters,
  });

/** The ways of the statements that were sent meanwhile, a line for each step. */
async function plansOf(
  database: TestDatabase,
  work: (db: TestDatabase['db']) => Promise<unknown>,
): Promise<string[]> {
  const lines: string[] = [];
  for (const query of await sentBy(database, work))
    if (database.kind === 'sqlite')
      for (const { detail } of (await explained(database.db, 'explain query plan', query)).rows)
        lines.push(detail ?? '');
    else
      await database.db.transaction().execute(async (tx) => {
        // A table without rows is read whole, whatever indexes it has.
        await sql`set local enable_seqscan = off`.execute(tx);
        for (const row of (await explained(tx, 'explain', query)).rows) lines.push(row['QUERY PLAN'] ?? '');
      });
  return lines;
}

const NOW = new Date('2027-03-03T20:00:00Z');
const SINCE = new Date('2027-03-01T20:00:00Z');

/** One row a day, or written by the administrator's own hand: whoever reads them whole reads few. */
const SMALL = ['visits_by_day', 'refused_tries_by_day', 'tokens'];

/** The tables that are read whole, or whose index is. An index that is followed in the order of a list ends with the list. */
const readWhole = (plans: readonly string[]): string[] =>
  plans.flatMap((plan) => {
    const [, sqlite, index] = /^SCAN (\w+)( USING INDEX)?/.exec(plan) ?? [];
    const [, postgres] = /Seq Scan on (\w+)/.exec(plan) ?? [];
    const table = index === undefined ? (sqlite ?? postgres) : undefined;
    return table === undefined || SMALL.includes(table) ? [] : plan;
  });

describe.each(eachDatabase)('without a look at everything, on %s', (_name, open) => {
  let server: TestServer;
  beforeEach(async () => {
    server = await openTestServer(open);
  });
  afterEach(() => server.close());

  test('the dashboard is made', async () => {
    const plans = await plansOf(server.database, (db) => readDashboard({ ...server.deps, db }, server.actor));
    expect(plans.join('\n')).toContain('visits_by_day');
    expect(plans.join('\n')).toContain('access_logs_refused');
    expect(plans.join('\n')).toContain('event_logs_created');
    expect(readWhole(plans)).toEqual([]);
  });

  test('visits are listed and counted, the latest in their order', async () => {
    const plans = await plansOf(server.database, async (db) => {
      await listOpen(db);
      await listEnded(db, 10);
      await countEnded(db);
    });
    expect(plans.join('\n')).toContain('active_sessions_listed');
    expect(readWhole(plans)).toEqual([]);
  });

  test('silent visits are found among the open ones', async () => {
    const plans = await plansOf(server.database, (db) => closeSilentSessions(db, NOW));
    expect(plans.join('\n')).toContain('active_sessions_listed');
    expect(readWhole(plans)).toEqual([]);
  });
});

describe('on SQLite, which is one with the process', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await sqliteDatabase();
  });
  afterEach(() => database.drop());

  test('the next message is found in its order', async () => {
    const plans = await plansOf(database, (db) => nextSingle(db, 'telegram', SINCE, NOW));
    expect(plans.join('\n')).toContain('notifications_waiting');
    expect(plans.filter((plan) => plan.startsWith('SCAN') || plan.includes('TEMP B-TREE'))).toEqual([]);
  });
});
