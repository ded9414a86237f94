import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import { describe, expect, it } from 'vitest';
import { encrypt } from '../../src/server/auth/secrets.ts';
import type { NotificationsTable } from '../../src/server/db/tables.ts';
import { readEnv } from '../../src/server/env.ts';
import { readQueue } from '../../src/server/features/metrics/metrics.ts';
import { canSend, openChannels } from '../../src/server/features/notifications/channels.ts';
import * as queue from '../../src/server/features/notifications/notifications.repo.ts';
import * as pace from '../../src/server/features/notifications/pace.ts';
import { eachDatabase, sqliteDatabase } from '../support/databases.ts';
import { SECRET } from '../support/notifier.ts';
import { useRepositories } from '../support/repositories.ts';
import { configRow } from '../support/rows.ts';

const NOW = new Date('2027-02-14T19:00:00.000Z');
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const inMs = (ms: number) => new Date(NOW.getTime() + ms);
const at = (ms: number) => inMs(ms).toISOString();
const { answers: ANSWERS, other: OTHER } = queue.PRIORITY;

/** Changes of queued messages, row by row. tests/api/notifications.test.ts covers their sending. */
describe.each(eachDatabase)('message queue on %s', (_name, open) => {
  const server = useRepositories('queue', open);

  type Row = Insertable<NotificationsTable>;
  /** Inserts unsent messages for Telegram, with the given changes. */
  async function put(rows: Record<string, Partial<Row>>): Promise<void> {
    const row = { channel: 'telegram', type: 'access', priority: OTHER, payload: '{}', attempts: 0 };
    const nothing = { uncertain: false, session_id: null, claim: null, sent_at: null, last_error: null };
    const times = { next_attempt_at: at(0), created_at: at(0) };
    const values = Object.entries(rows).map(([id, change]) => ({
      id,
      notice: randomUUID(),
      ...row,
      ...nothing,
      ...times,
      ...change,
    }));
    await server.deps.db
      .insertInto('notifications')
      .values(values as never)
      .execute();
  }
  const rows = () => server.deps.db.selectFrom('notifications').selectAll().orderBy('id').execute();
  const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id).join(' ');
  const ids = async () => idsOf(await rows());
  const work: TestWork = (change) => server.deps.inTransaction(change);
  type TestWork = typeof server.deps.inTransaction;

  it('deletes old messages that were sent or given up, but no unsent answers', async () => {
    const [old, young] = [{ created_at: at(-30 * DAY - 1) }, { created_at: at(-30 * DAY) }];
    await put({
      given_up: old,
      sent: { ...old, sent_at: at(0), priority: ANSWERS },
      answers: { ...old, priority: ANSWERS },
      young,
      young_sent: { ...young, sent_at: at(0) },
    });
    await work((tx) => queue.removeOld(tx, inMs(-30 * DAY)));
    expect(await ids()).toBe('answers young young_sent');
  });

  it('makes failed messages due at once; others keep their time', async () => {
    const later = { next_attempt_at: at(DAY), attempts: 1 };
    await put({
      claimed: { ...later, claim: 'x' },
      email: { ...later, channel: 'email' },
      failed: later,
      fresh: { ...later, attempts: 0 },
      sent: { ...later, sent_at: at(0) },
    });
    await work((tx) => queue.makeAllDue(tx, 'telegram', NOW));
    expect(idsOf((await rows()).filter(({ next_attempt_at }) => next_attempt_at === at(0)))).toBe('failed');
  });

  it('cancels messages of a visit or a channel while they wait, not while or after they are sent', async () => {
    const ofVisit = { session_id: 'hers', type: 'visit_stopped' as const };
    await put({
      claimed: { ...ofVisit, claim: 'x' },
      others: { ...ofVisit, session_id: 'others' },
      otherwise: { ...ofVisit, type: 'access' },
      sent: { ...ofVisit, sent_at: at(0) },
      waiting: ofVisit,
      waiting_answers: { priority: ANSWERS },
      waiting_email: { ...ofVisit, channel: 'email' },
    });
    await work((tx) => queue.cancelForVisit(tx, 'hers', 'visit_stopped'));
    expect(await ids()).toBe('claimed others otherwise sent waiting_answers');
    await put({ waiting_email: { channel: 'email' } });
    expect(await work((tx) => queue.cancelPending(tx, 'telegram'))).toBe(3);
    expect(await ids()).toBe('claimed sent waiting_email');
  });

  it('counts messages as pending unless sent or too old; answers never expire', async () => {
    await put({
      answers: { created_at: at(-pace.GIVE_UP_AFTER), priority: ANSWERS },
      email: { channel: 'email' },
      far: { next_attempt_at: at(pace.LONGEST_WAIT) },
      old: { created_at: at(-pace.GIVE_UP_AFTER) },
      sent: { sent_at: at(0) },
      soon: { next_attempt_at: at(1) },
      too_far: { next_attempt_at: at(pace.LONGEST_WAIT + 1) },
      young: { created_at: at(-pace.GIVE_UP_AFTER + 1) },
    });
    const waiting = queue.isPending(server.deps.db, 'telegram', NOW).select('id').orderBy('id');
    expect(idsOf(await waiting.execute())).toBe('answers far soon too_far young');
    // A message is due if its time has come, or if it is further ahead than any wait.
    expect(idsOf(await waiting.where(queue.isDue(NOW)).execute())).toBe('answers too_far young');
  });

  it('returns the failed message that is next', async () => {
    const next = () => queue.nextFailed(server.deps.db, 'telegram', NOW);
    expect(await next()).toBeUndefined();
    await put({
      first: { next_attempt_at: at(-2) },
      later: { next_attempt_at: at(2), last_error: 'later' },
      next: { next_attempt_at: at(1), last_error: 'next' },
    });
    expect(await next()).toEqual({ error: 'next', at: at(1) });
  });

  it('follows a chat to its new id, unless another chat was chosen', async () => {
    const { db } = server.deps;
    await db.deleteFrom('admin_config').execute();
    await db
      .insertInto('admin_config')
      .values({ ...configRow(1), telegram_chat_id: '-1' })
      .execute();
    await work((tx) => queue.moveChat(tx, '-2', '-100'));
    expect((await queue.readChannelSettings(db))?.telegram_chat_id).toBe('-1');
    await work((tx) => queue.moveChat(tx, '-1', '-100'));
    expect((await queue.readChannelSettings(db))?.telegram_chat_id).toBe('-100');
  });

  it('moves messages of a lost channel to another, once, and makes failed ones due at once', async () => {
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
    const adopted = async (lost: ('telegram' | 'email')[]) => {
      await queue.takeOverMessages(server.deps, 'telegram', lost, NOW);
      return (await rows()).filter(({ channel }) => channel === 'telegram');
    };
    expect(idsOf(await adopted([]))).toBe('own');
    expect(
      (await adopted(['email'])).map((row) => [row.id, row.attempts, row.last_error, row.next_attempt_at]),
    ).toEqual([
      ['claim_over', 0, null, at(0)],
      ['failed', 0, null, at(0)],
      ['fresh', 0, null, at(DAY)],
      ['own', 0, null, at(0)],
    ]);
  });

  it('sends single messages before failures, and requeues those that did not arrive', async () => {
    const { db } = server.deps;
    const refused = { success: false, token_value: 'ROM-A', error_message: 'Codice scaduto' } as const;
    const error = { ...refused, type: 'error' } as const;
    await queue.enqueueNotification(db, { ...refused, type: 'access' }, NOW);
    await queue.enqueueNotification(db, error, inMs(1), { session_id: 'visit' });
    await queue.enqueueNotification(db, error, inMs(2), { after: 10 });
    const [channel, now] = ['telegram', inMs(5)] as const;
    const claim = (which: 'single' | 'failures', name: string, from: 'telegram' | 'email' = channel) =>
      queue.claimMessage(db, from, which, name, now);
    const requeued = { claim: null, next_attempt_at: at(0), last_error: 'no answer', uncertain: true };
    expect(await queue.pendingCount(db, channel, now)).toBe(3);
    expect(await queue.nextAttemptAt(db, channel, inMs(-1))).toBe(NOW.getTime());
    const first = (await queue.nextSingle(db, channel, now).executeTakeFirst())?.id;
    expect(await claim('single', 'none', 'email')).toBe(false);
    expect(await claim('single', 'one')).toBe(true);
    expect(await claim('single', 'none')).toBe(false);
    expect(await queue.claimedUntil(db, channel, now)).toBe(now.getTime() + pace.LEASE);
    const message = {
      id: `${first}.1`,
      count: 1,
      failures: false,
      since: at(1),
      attempts: 1,
      uncertain: false,
    };
    expect(await queue.readClaim(db, 'one')).toMatchObject({ ...message, notifications: [error] });
    await queue.updateClaimed(db, 'one', requeued);
    expect(await queue.claimedUntil(db, channel, now)).toBeNull();
    expect(await readQueue(db, channel, now)).toEqual({ waiting: 3, failed: 1 });
    expect(await claim('single', 'two')).toBe(true);
    expect(await queue.readClaim(db, 'two')).toMatchObject({
      id: `${first}.1`,
      attempts: 2,
      uncertain: true,
    });
    expect(await claim('failures', 'three')).toBe(true);
    expect(await claim('failures', 'four')).toBe(false);
    expect(await queue.readClaim(db, 'three')).toMatchObject({ count: 1, failures: true });
    expect(await queue.lastSentAt(db, channel)).toBeNull();
    await queue.updateClaimed(db, 'three', { sent_at: at(7) });
    expect(await queue.lastSentAt(db, channel)).toBe(at(7));
    expect(await queue.pendingCount(db, channel, now)).toBe(2);
    expect(await queue.readChannelSettings(db)).toMatchObject({ telegram_chat_id: null, smtp_port: 587 });
  });
});

describe('message rate', () => {
  const now = NOW.getTime();
  /** Returns the times at which this many messages leave if all wait from `NOW` on, in seconds after it. */
  function leaving(messages: number, from: number): number[] {
    const left: number[] = [];
    let [time, next] = [now, from];
    while (left.length < messages) {
      time = Math.max(time, pace.nextSendAt(next));
      left.push((time - now) / SECOND);
      next = pace.afterMessage(next, time);
    }
    return left;
  }

  it('allows eight messages at once after a silence, then one every five seconds, and single ones after a pause', () => {
    expect(leaving(11, 0)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 5, 10, 15]);
    expect(leaving(3, pace.pausedUntil(0, now + 60 * SECOND))).toEqual([60, 65, 70]);
    const far = pace.pausedUntil(0, now + HOUR);
    expect(pace.pausedUntil(far, now + 60 * SECOND)).toBe(far);
  });

  it('pauses 5 s to ten minutes without a reply, and at most an hour on request', () => {
    const pauses = [1, 2, 3, 7, 8, 10_000].map((failures) => pace.pauseMsAfter(failures) / SECOND);
    expect(pauses).toEqual([5, 10, 20, 320, 600, 600]);
    for (const [requested, waited] of [
      [40, 40],
      [3_600, 3_600],
      [3_601, 3_600],
    ] as const)
      expect(pace.retryAt(requested, now)).toBe(now + waited * SECOND);
  });

  it('ignores a time further ahead than any pause, because the clock was set back', () => {
    const longest = pace.afterMessage(pace.pausedUntil(0, pace.retryAt(3_600, now)), now);
    expect(pace.sanitizeRate(longest, now)).toBe(longest);
    expect(pace.sanitizeRate(longest + 1, now)).toBe(now);
    expect(pace.sanitizeRate(now - HOUR, now)).toBe(now - HOUR);
  });
});

it('determines the usable channels from the saved settings', async () => {
  const database = await sqliteDatabase();
  const { db } = database;
  const sealed = (text: string, secret = SECRET) => encrypt(secret, text);
  const strange = (text: string) => sealed(text, Buffer.alloc(32, 9));
  const bot = { telegram_bot_token: sealed('1:a'), telegram_chat_id: '42' };
  const mail = {
    smtp_host: 'smtp.example',
    smtp_user: 'lui',
    smtp_password: sealed('x'),
    email_from: 'lui@posta.example',
    email_to: 'lei@posta.example',
  };
  async function opened(fields: object | null): Promise<string> {
    await db.deleteFrom('admin_config').execute();
    if (fields !== null)
      await db
        .insertInto('admin_config')
        .values({ ...configRow(1), ...fields })
        .execute();
    const { telegram, email } = await openChannels({
      env: readEnv({ ...database.env }),
      db,
      inTransaction: database.inTransaction,
      secret: SECRET,
    });
    return [telegram, email].map((channel) => (canSend(channel) ? 'open' : channel)).join(' ');
  }
  for (const [fields, channels] of [
    [{}, 'unset unset'],
    [bot, 'open unset'],
    [{ ...bot, telegram_chat_id: null }, 'unset unset'],
    [{ ...bot, telegram_bot_token: strange('1:a') }, 'unreadable unset'],
    [mail, 'unset open'],
    [{ ...mail, smtp_user: null, smtp_password: null }, 'unset open'],
    [{ ...mail, smtp_user: null, smtp_password: strange('x') }, 'unset open'],
    [{ ...mail, email_to: null }, 'unset unset'],
    [{ ...mail, smtp_password: null }, 'unset unset'],
    [{ ...mail, smtp_password: strange('x') }, 'unset unreadable'],
  ] as const)
    expect(await opened(fields), JSON.stringify(fields)).toBe(channels);
  await database.drop();
});
