import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDashboard } from '../../src/server/features/dashboard/dashboard.ts';
import { findEvents } from '../../src/server/features/logs/logs.ts';
import { nextSingle } from '../../src/server/features/notifications/notifications.repo.ts';
import { countEnded, listEnded, listOpen } from '../../src/server/features/sessions/sessions.ts';
import { closeSilentSessions } from '../../src/server/features/visit/sessions.repo.ts';
import { eachDatabase, sqliteDatabase, type TestDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';

/** Frequent queries cost the same with any amount of data. The databases' query plans show it. */

type Sent = { sql: string; parameters: readonly unknown[] };

const explained = (db: TestDatabase['db'], words: string, query: Sent) =>
  db.executeQuery<Record<string, string>>({
    ...sql`select 1`.compile(db),
    sql: `${words} ${query.sql}`,
    parameters: query.parameters,
  });

/** Returns the query plans of the statements that are sent during `work`, one line per step. */
async function plansOf(
  database: TestDatabase,
  work: (db: TestDatabase['db']) => Promise<unknown>,
): Promise<string[]> {
  const sent: Sent[] = [];
  const watched = database.db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      sent.push(database.db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await work(watched);
  const lines: string[] = [];
  for (const query of sent)
    if (database.kind === 'sqlite')
      for (const { detail } of (await explained(database.db, 'explain query plan', query)).rows)
        lines.push(detail ?? '');
    else
      await database.db.transaction().execute(async (tx) => {
        // PostgreSQL scans a table without rows regardless of its indexes.
        await sql`set local enable_seqscan = off`.execute(tx);
        for (const row of (await explained(tx, 'explain', query)).rows) lines.push(row['QUERY PLAN'] ?? '');
      });
  return lines;
}

const NOW = new Date('2027-03-03T20:00:00Z');

/** Tables with one row a day, or written by the administrator: a complete scan reads few rows. */
const SMALL = ['visits_by_day', 'refused_tries_by_day', 'tokens'];

/** Returns the plans that scan a table or an index completely. A scan of an index in the order of a list ends with the list. */
const readWhole = (plans: readonly string[]): string[] =>
  plans.flatMap((plan) => {
    const [, sqlite, index] = /^SCAN (\w+)( USING INDEX)?/.exec(plan) ?? [];
    const [, postgres] = /Seq Scan on (\w+)/.exec(plan) ?? [];
    const table = index === undefined ? (sqlite ?? postgres) : undefined;
    return table === undefined || SMALL.includes(table) ? [] : plan;
  });

type Query = (db: TestDatabase['db'], server: TestServer) => Promise<unknown>;

/** Queries, each with an index that its plan uses. */
const QUERIES: Record<string, [index: string, query: Query]> = {
  'read the dashboard': ['access_logs_refused', (db, { ctx }) => readDashboard({ ...ctx, db })],
  'list events, the latest first': ['event_logs_created', (db) => findEvents(db, 10)],
  'list and count visits, the latest in order': [
    'active_sessions_listed',
    (db) => Promise.all([listOpen(db), listEnded(db, 10), countEnded(db)]),
  ],
  'find silent visits among the open ones': ['active_sessions_listed', (db) => closeSilentSessions(db, NOW)],
};

describe.each(eachDatabase)('queries without a complete scan on %s', (_name, open) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer(open);
  });
  afterAll(() => server.close());

  test.each(Object.entries(QUERIES))('%s', async (_what, [index, query]) => {
    const plans = await plansOf(server.database, (db) => query(db, server));
    expect(plans.join('\n')).toContain(index);
    expect(readWhole(plans)).toEqual([]);
  });

  // SQLite runs in the process.
  test.runIf(open === sqliteDatabase)('find the next message in order', async () => {
    const plans = await plansOf(server.database, (db) => nextSingle(db, 'telegram', NOW).execute());
    expect(plans.join('\n')).toContain('notifications_waiting');
    expect(plans.filter((plan) => plan.startsWith('SCAN') || plan.includes('TEMP B-TREE'))).toEqual([]);
  });
});
