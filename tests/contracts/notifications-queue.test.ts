import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { NotificationsTable } from '../../src/server/db/tables.ts';
import { readQueue } from '../../src/server/features/metrics/metrics.repo.ts';
import { adopt, hasOrphans } from '../../src/server/features/notifications/adopting.repo.ts';
import {
  enqueueNotification,
  hurryAll,
  isDue,
  lastSentAt,
  nextFailed,
  PRIORITY,
  readChannelSettings,
  removeOld,
  takeBack,
  waiting,
  waitingCount,
  withdraw,
} from '../../src/server/features/notifications/notifications.repo.ts';
import { LONGEST_WAIT } from '../../src/server/features/notifications/pace.ts';
import * as sending from '../../src/server/features/notifications/sending.repo.ts';
import { eachDatabase } from '../support/databases.ts';
import { useRepositories } from '../support/repositories.ts';

const NOW = new Date('2027-02-14T19:00:00.000Z');
const DAY = 24 * 3_600_000;
const at = (ms: number) => new Date(NOW.getTime() + ms).toISOString();

/** What is done with messages that wait, row by row. How they leave is in tests/api/notifications.test.ts. */
describe.each(eachDatabase)('messages in the queue, on %s', (_name, open) => {
  const server = useRepositories('queue', open);

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
    await server.deps.db
      .insertInto('notifications')
      .values(values as never)
      .execute();
  }
  const rows = () => server.deps.db.selectFrom('notifications').selectAll().orderBy('id').execute();
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
    await server.deps.inTransaction((tx) => removeOld(tx, new Date(NOW.getTime() - 30 * DAY)));
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
    await server.deps.inTransaction((tx) => hurryAll(tx, 'telegram', NOW));
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
    expect(await server.deps.inTransaction((tx) => takeBack(tx, 'telegram'))).toBe(2);
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
    await server.deps.inTransaction((tx) => withdraw(tx, 'hers', 'visit_stopped'));
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
    const found = await waiting(server.deps.db, 'telegram', new Date(NOW.getTime() - DAY))
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
    const due = await server.deps.db
      .selectFrom('notifications')
      .select('id')
      .where(isDue(NOW))
      .orderBy('id')
      .execute();
    expect(due.map(({ id }) => id)).toEqual(['came', 'too_far']);
  });

  test('of those whose try failed the next one is told', async () => {
    const since = new Date(NOW.getTime() - DAY);
    expect(await nextFailed(server.deps.db, 'telegram', since)).toBeNull();
    await put({
      first: { next_attempt_at: at(-2) },
      later: { next_attempt_at: at(2), last_error: 'later' },
      next: { next_attempt_at: at(1), last_error: 'next' },
    });
    expect(await nextFailed(server.deps.db, 'telegram', since)).toEqual({ error: 'next', at: at(1) });
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
    const has = (lost: ('telegram' | 'email')[]) => hasOrphans(server.deps.db, 'telegram', lost, NOW);
    expect([await has([]), await has(['email'])]).toEqual([false, true]);
    await server.deps.inTransaction((tx) => adopt(tx, 'telegram', ['email'], NOW));
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

  test('leave one by one before failures, and are put back where they did not arrive', async () => {
    const { db } = server.deps;
    const ms = (after: number) => new Date(at(after));
    const refused = { success: false, token_value: 'ROM-A', error_message: 'Codice scaduto' } as const;
    const [failed, error] = [
      { ...refused, type: 'access' },
      { ...refused, type: 'error' },
    ] as const;
    await enqueueNotification(db, failed, ms(0));
    await enqueueNotification(db, error, ms(1), { session_id: 'visit' });
    await enqueueNotification(db, error, ms(2), { after: 10 });
    const [channel, since, now, until] = ['telegram', ms(-DAY), ms(5), ms(60_000)] as const;
    expect(await waitingCount(db, channel, since)).toBe(3);
    expect(await sending.failuresDue(db, channel, since, now)).toBe(true);
    expect(await sending.nextAttemptAt(db, channel, since, ms(-1))).toBe(ms(0).getTime());
    const first = (await sending.nextSingle(db, channel, since, now)) ?? '';
    expect(await sending.claimSingle(db, 'email', first, 'one', until)).toBe(false);
    expect(await sending.claimSingle(db, channel, first, 'one', until)).toBe(true);
    expect(await sending.nextSingle(db, channel, since, now)).toBeNull();
    expect(await sending.takenUntil(db, channel, since, now)).toBe(until.getTime());
    expect(await sending.readClaim(db, 'one')).toMatchObject({
      oldest: first,
      count: 1,
      failures: false,
      since: at(1),
      attempts: 1,
      uncertain: false,
      notifications: [error],
    });
    await sending.putBack(db, 'one', { next: ms(DAY), error: 'no answer', uncertain: true });
    expect(await sending.takenUntil(db, channel, since, now)).toBeNull();
    expect(await readQueue(db, channel, since)).toEqual({ waiting: 3, failed: 1 });
    expect(await sending.claimSingle(db, channel, first, 'two', until)).toBe(true);
    expect(await sending.readClaim(db, 'two')).toMatchObject({ attempts: 2, uncertain: true });
    expect(await sending.claimFailures(db, channel, since, now, 'three', until)).toBe(true);
    expect(await sending.claimFailures(db, channel, since, now, 'four', until)).toBe(false);
    expect(await sending.readClaim(db, 'three')).toMatchObject({ count: 1, failures: true });
    expect(await lastSentAt(db, channel)).toBeNull();
    await sending.markSent(db, 'three', ms(7));
    expect(await lastSentAt(db, channel)).toBe(at(7));
    expect(await waitingCount(db, channel, since)).toBe(2);
    expect(await readChannelSettings(db)).toMatchObject({ telegram_chat_id: null, smtp_port: 587 });
  });
});
