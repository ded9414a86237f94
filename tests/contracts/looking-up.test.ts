import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nextSingle } from '../../src/server/features/notifications/sending.repo.ts';
import { listEnded } from '../../src/server/features/sessions/session-list.repo.ts';
import { sqliteDatabase, type TestDatabase } from '../support/databases.ts';

/**
 * What is looked at again and again costs the same however much has come together: the database says how it goes about it. Told of SQLite,
 * which is one with the process: a table that it reads whole keeps everybody waiting.
 */

let database: TestDatabase;
beforeEach(async () => {
  database = await sqliteDatabase();
});
afterEach(() => database.drop());

/** The ways of the statements that were sent meanwhile, as SQLite plans them. */
async function plansOf(work: (db: TestDatabase['db']) => Promise<unknown>): Promise<string[]> {
  const sent: { sql: string; parameters: readonly unknown[] }[] = [];
  const watched = database.db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      sent.push(database.db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await work(watched);
  const plans = sent.map(async (query) => {
    const { rows } = await database.db.executeQuery<{ detail: string }>({
      ...sql`select 1`.compile(database.db),
      sql: `explain query plan ${query.sql}`,
      parameters: query.parameters,
    });
    return rows.map(({ detail }) => detail);
  });
  return (await Promise.all(plans)).flat();
}

const NOW = new Date('2027-03-03T20:00:00Z');
const SINCE = new Date('2027-03-01T20:00:00Z');

test('the latest visits are found in their order, not sorted out of all', async () => {
  const plans = await plansOf((db) => listEnded(db, 10));
  expect(plans.join('\n')).toContain('active_sessions_listed');
  expect(plans.filter((plan) => plan.startsWith('SCAN'))).toEqual([]);
});

test('the next message is found in its order', async () => {
  const plans = await plansOf((db) => nextSingle(db, 'telegram', SINCE, NOW));
  expect(plans.join('\n')).toContain('notifications_waiting');
  expect(plans.filter((plan) => plan.startsWith('SCAN') || plan.includes('TEMP B-TREE'))).toEqual([]);
});
