import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NotificationsTable } from '../../src/server/db/tables.ts';
import { adopt, hasOrphans } from '../../src/server/features/notifications/adopting.repo.ts';
import {
  hurryAll,
  isDue,
  nextFailed,
  PRIORITY,
  removeOld,
  takeBack,
  waiting,
  withdraw,
} from '../../src/server/features/notifications/notifications.repo.ts';
import { LONGEST_WAIT } from '../../src/server/features/notifications/pace.ts';
import { mostlySqlite, type TestDatabase } from '../support/databases.ts';

const NOW = new Date('2027-02-14T19:00:00.000Z');
const DAY = 24 * 3_600_000;
const at = (ms: number) => new Date(NOW.getTime() + ms).toISOString();

/** What is done with messages that wait, row by row. How they leave is in tests/api/notifications.test.ts. */
describe.each(mostlySqlite)('messages in the queue, on %s', (_name, open) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.drop());

  type Row = Insertable<NotificationsTable>;
  /** Puts messages there that wait for Telegram, and nothing has happened to, but for what is said of each. */
  async function put(rows: Record<string, Partial<Row>>): Promise<void> {
    const values = Object.entries(rows).map(([id, change]) => ({
      id,
      channel: 'telegram' as const,
      notice: randomUUID(),
      type: 'access' as const,
      priority: PRIORITY.other,
      payload: '{}',
      next_attempt_at: at(0),
      created_at: at(0),
      attempts: 0,
      uncertain: false,
      session_id: null,
      claim: null,
      sent_at: null,
      last_error: null,
      ...change,
    }));
    await database.db
      .insertInto('notifications')
      .values(values as never)
      .execute();
  }
  const rows = () => database.db.selectFrom('notifications').selectAll().orderBy('id').execute();
  const ids = async () => (await rows()).map(({ id }) => id);

  test('what was sent or given up goes when it is old; answers that nobody was told of stay', async () => {
    const [old, young] = [{ created_at: at(-30 * DAY - 1) }, { created_at: at(-30 * DAY) }];
    await put({
      given_up: old,
      sent: { ...old, sent_at: at(0), priority: PRIORITY.answers },
      answers: { ...old, priority: PRIORITY.answers },
      young,
      young_sent: { ...young, sent_at: at(0) },
    });
    await database.inTransaction((tx) => removeOld(tx, new Date(NOW.getTime() - 30 * DAY)));
    expect(await ids()).toEqual(['answers', 'young', 'young_sent']);
  });

  test('those that failed are tried at once when they are hurried; the others keep their time', async () => {
    const later = { next_attempt_at: at(DAY), attempts: 1 };
    await put({
      claimed: { ...later, claim: 'x' },
      email: { ...later, channel: 'email' },
      failed: later,
      fresh: { ...later, attempts: 0 },
      sent: { ...later, sent_at: at(0) },
    });
    await database.inTransaction((tx) => hurryAll(tx, 'telegram', NOW));
    const hurried = (await rows()).filter(({ next_attempt_at }) => next_attempt_at === at(0));
    expect(hurried.map(({ id }) => id)).toEqual(['failed']);
  });

  test('what waits is taken back, not what is being sent or was', async () => {
    await put({
      claimed: { claim: 'x' },
      email: { channel: 'email' },
      sent: { sent_at: at(0) },
      waiting: {},
      waiting_too: { priority: PRIORITY.answers },
    });
    expect(await database.inTransaction((tx) => takeBack(tx, 'telegram'))).toBe(2);
    expect(await ids()).toEqual(['claimed', 'email', 'sent']);
  });

  test('of a visit one kind is withdrawn, not what is being sent or was', async () => {
    const hers = { session_id: 'hers', type: 'visit_stopped' as const };
    await put({
      claimed: { ...hers, claim: 'x' },
      others: { ...hers, session_id: 'others' },
      otherwise: { ...hers, type: 'access' },
      sent: { ...hers, sent_at: at(0) },
      waiting: hers,
      waiting_email: { ...hers, channel: 'email' },
    });
    await database.inTransaction((tx) => withdraw(tx, 'hers', 'visit_stopped'));
    expect(await ids()).toEqual(['claimed', 'others', 'otherwise', 'sent']);
  });

  test('a message waits unless it was sent or is too old to be told; answers are never too old', async () => {
    await put({
      answers: { created_at: at(-DAY), priority: PRIORITY.answers },
      email: { channel: 'email' },
      old: { created_at: at(-DAY) },
      sent: { sent_at: at(0) },
      young: { created_at: at(-DAY + 1) },
    });
    const found = await waiting(database.db, 'telegram', new Date(NOW.getTime() - DAY))
      .select('id')
      .orderBy('id')
      .execute();
    expect(found.map(({ id }) => id)).toEqual(['answers', 'young']);
  });

  test('it is due when its time has come, or lies further ahead than any wait', async () => {
    await put({
      came: {},
      far: { next_attempt_at: at(LONGEST_WAIT) },
      soon: { next_attempt_at: at(1) },
      too_far: { next_attempt_at: at(LONGEST_WAIT + 1) },
    });
    const due = await database.db
      .selectFrom('notifications')
      .select('id')
      .where(isDue(NOW))
      .orderBy('id')
      .execute();
    expect(due.map(({ id }) => id)).toEqual(['came', 'too_far']);
  });

  test('of those whose try failed the next one is told', async () => {
    const since = new Date(NOW.getTime() - DAY);
    expect(await nextFailed(database.db, 'telegram', since)).toBeNull();
    await put({
      first: { next_attempt_at: at(-2) },
      later: { next_attempt_at: at(2), last_error: 'later' },
      next: { next_attempt_at: at(1), last_error: 'next' },
    });
    expect(await nextFailed(database.db, 'telegram', since)).toEqual({ error: 'next', at: at(1) });
  });

  test('what waits for a way that is gone goes another, once, and at once where it had failed', async () => {
    const notice = randomUUID();
    const failed = { channel: 'email' as const, attempts: 1, last_error: 'x', next_attempt_at: at(DAY) };
    await put({
      claimed: { ...failed, claim: 'x' },
      claim_over: { ...failed, claim: 'x', next_attempt_at: at(0) },
      failed,
      fresh: { ...failed, attempts: 0 },
      own: { notice },
      sent: { ...failed, sent_at: at(0) },
      told_by_own: { ...failed, notice },
    });
    const has = (lost: ('telegram' | 'email')[]) => hasOrphans(database.db, 'telegram', lost, NOW);
    expect([await has([]), await has(['email'])]).toEqual([false, true]);
    await database.inTransaction((tx) => adopt(tx, 'telegram', ['email'], NOW));
    expect(await has(['email'])).toBe(false);
    const adopted = (await rows()).filter(({ channel }) => channel === 'telegram');
    expect(
      adopted.map(({ id, attempts, last_error, next_attempt_at }) => [
        id,
        attempts,
        last_error,
        next_attempt_at,
      ]),
    ).toEqual([
      ['claim_over', 0, null, at(0)],
      ['failed', 0, null, at(0)],
      ['fresh', 0, null, at(DAY)],
      ['own', 0, null, at(0)],
    ]);
  });
});
