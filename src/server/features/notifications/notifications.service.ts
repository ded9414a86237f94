import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { notificationText, testMessage } from '../../../texts/notifications.ts';
import { decryptOrNull } from '../../auth/secrets.ts';
import { type Counter, lockCounter, readCounter, removeCounter, setCounter } from '../../db/counters.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { Refused } from '../../refused.ts';
import { hurryAll, readBotSettings } from './notifications.repo.ts';
import {
  afterMessage,
  afterRetry,
  believable,
  FAILURES_INTERVAL,
  GIVE_UP_AFTER,
  LEASE,
  opensAt,
  pauseAfter,
  pausedUntil,
} from './pace.ts';
import {
  type Claimed,
  claimFailures,
  claimSingle,
  failuresDue,
  markSent,
  nextAttemptAt,
  nextSingle,
  putBack,
  readClaim,
  type Setback,
} from './sending.repo.ts';
import { type Bot, type Delivery, sendMessage } from './telegram.ts';

export type NotifierDeps = Pick<Deps, 'env' | 'db' | 'inTransaction' | 'secret' | 'log' | 'now'> & {
  /** How long Telegram may take to answer, in ms; 20 s where nothing is said. */
  patience?: number;
};

/** Counters that all nodes share: the pace (its points are the failures in a row), and when failed entries may be told again. */
export const PACE = 'telegram:pace';
const FAILURES = 'telegram:failures';

/** How long the next step may wait if nobody calls, in ms. */
const IDLE = 2_000;
const UNCONFIGURED = 5_000;
const NOTE_AGAIN_AFTER = [500, 2_000, 5_000, 10_000];

/**
 * Sends the next message that is due, if the pace allows it, and notes what became of it. Returns how long to wait before the next
 * step, in ms. Several nodes may do this at once: a message is claimed for 60 s, so it is sent twice only if a node dies in between.
 * @param signal gives up the sending that is under way: its message waits again, marked as one that may have arrived
 */
export async function deliverNext(deps: NotifierDeps, signal?: AbortSignal): Promise<number> {
  const bot = await readBot(deps);
  if (!bot) return UNCONFIGURED;
  const rest = await untilSomethingIsDue(deps.db, deps.now());
  if (rest > 0) return rest;
  const next = await deps.inTransaction((tx) => claimNext(tx, deps.now()));
  if (typeof next === 'number') return next;
  const { env, patience } = deps;
  const text = notificationText(next, deps.now());
  const delivery = await sendMessage(env.TELEGRAM_API_ROOT, bot, text, {
    ...(patience && { patience }),
    signal,
  });
  if (delivery.kind !== 'sent') {
    deps.log.warn(
      { component: 'notifications', error: delivery.error, kind: delivery.kind },
      'message not sent',
    );
  }
  await noteSurely(deps, next, delivery);
  return 0;
}

/** Sends a message at once, past the queue, and says what Telegram answered. After a good one the queue moves on, too. */
export async function sendTestMessage(
  deps: NotifierDeps,
): Promise<{ sent: boolean; answer: string } | Refused<'NOT_CONFIGURED'>> {
  const bot = await readBot(deps);
  if (!bot) return { refused: 'NOT_CONFIGURED' };
  const delivery = await sendMessage(deps.env.TELEGRAM_API_ROOT, bot, testMessage);
  if (delivery.kind !== 'sent') return { sent: false, answer: delivery.error };
  await resumeNotifications(deps);
  return { sent: true, answer: `ok, message_id ${delivery.message_id}` };
}

/** To be called when bot or chat were changed: what was held back because of the old ones is tried again. */
export async function resumeNotifications({
  inTransaction,
  now,
}: Pick<NotifierDeps, 'inTransaction' | 'now'>): Promise<void> {
  await inTransaction(async (tx) => {
    await removeCounter(tx, PACE);
    await hurryAll(tx, now());
  });
}

async function readBot({ db, secret, log }: NotifierDeps): Promise<Bot | null> {
  const settings = await readBotSettings(db);
  if (!settings?.telegram_bot_token || !settings.telegram_chat_id) return null;
  const token = decryptOrNull(secret, settings.telegram_bot_token);
  if (token === null)
    log.warn({ component: 'notifications' }, 'the stored bot token belongs to another secret');
  return token === null ? null : { token, chat_id: settings.telegram_chat_id };
}

/** What to send now, or how long to wait. The pace's row is the lock that makes nodes take turns. */
async function claimNext(tx: Db, now: Date): Promise<Claimed | number> {
  const time = now.getTime();
  const pace = await lockCounter(tx, PACE, now);
  const paced = believable(pace.resets_at, time);
  const closed = opensAt(paced) - time;
  if (closed > 0) return Math.min(closed, IDLE);
  const claim = randomUUID();
  // What is due and yet not to be taken are failures whose minute isn't over.
  if (!(await claimRows(tx, now, claim))) return IDLE;
  await setCounter(tx, PACE, pace.points, afterMessage(paced, time));
  return readClaim(tx, claim);
}

async function claimRows(tx: Db, now: Date, claim: string): Promise<boolean> {
  const since = new Date(now.getTime() - GIVE_UP_AFTER);
  const until = new Date(now.getTime() + LEASE);
  const id = await nextSingle(tx, since, now);
  if (id !== null) {
    await claimSingle(tx, id, claim, until);
    return true;
  }
  if (!(await failuresDue(tx, since, now))) return false;
  const failures = await lockCounter(tx, FAILURES, now);
  const rest = failures.resets_at - now.getTime();
  if (rest > 0 && rest <= FAILURES_INTERVAL) return false;
  await claimFailures(tx, since, now, claim, until);
  await setCounter(tx, FAILURES, 0, now.getTime() + FAILURES_INTERVAL);
  return true;
}

/** A look without a lock, for most looks find nothing to do: 0 or less when it is worth trying. */
async function untilSomethingIsDue(db: Db, now: Date): Promise<number> {
  const time = now.getTime();
  const next = await nextAttemptAt(db, new Date(time - GIVE_UP_AFTER), now);
  if (next === null) return IDLE;
  const pace = await readCounter(db, PACE);
  const opens = Math.max(next, pace === null ? 0 : opensAt(believable(pace.resets_at, time)));
  return Math.min(opens - time, IDLE);
}

/** A message that has left must not leave again because the database had a bad moment. */
async function noteSurely(deps: NotifierDeps, claimed: Claimed, delivery: Delivery): Promise<void> {
  for (const wait of NOTE_AGAIN_AFTER) {
    try {
      return await deps.inTransaction((tx) => note(tx, claimed, delivery, deps.now()));
    } catch (error) {
      deps.log.warn({ component: 'notifications', err: error }, 'the result of a message could not be noted');
      await delay(wait);
    }
  }
  await deps.inTransaction((tx) => note(tx, claimed, delivery, deps.now()));
}

async function note(tx: Db, claimed: Claimed, delivery: Delivery, now: Date): Promise<void> {
  const time = now.getTime();
  const { points, resets_at } = await lockCounter(tx, PACE, now);
  const pace = { points, resets_at: believable(resets_at, time) };
  switch (delivery.kind) {
    case 'sent':
      await markSent(tx, claimed.claim, now);
      return setCounter(tx, PACE, 0, pace.resets_at);
    case 'refused':
      return putBack(tx, claimed.claim, {
        next: new Date(time + pauseAfter(claimed.attempts)),
        error: delivery.error,
      });
    case 'limited':
      await retryNow(tx, claimed, { next: now, error: delivery.error });
      return setCounter(
        tx,
        PACE,
        points,
        pausedUntil(pace.resets_at, afterRetry(delivery.retry_after, time)),
      );
    case 'failed':
      await retryNow(tx, claimed, { next: now, error: delivery.error, uncertain: delivery.uncertain });
      return pauseForAll(tx, pace, time);
  }
}

/** It is the first in the queue again; failures needn't wait for another minute. */
async function retryNow(tx: Db, { claim, failures }: Claimed, setback: Setback): Promise<void> {
  await putBack(tx, claim, setback);
  if (failures) await removeCounter(tx, FAILURES);
}

async function pauseForAll(tx: Db, pace: Counter, time: number): Promise<void> {
  const failures = pace.points + 1;
  await setCounter(tx, PACE, failures, pausedUntil(pace.resets_at, time + pauseAfter(failures)));
}
