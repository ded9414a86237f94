import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { CHANNELS, type ChannelName } from '../../../domain/channels.ts';
import { notificationText, testMessages } from '../../../texts/notifications.ts';
import { type CounterRow, lockCounter, readCounter, removeCounter, setCounter } from '../../db/counters.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { type Refusal, refuse } from '../../refused.ts';
import { hasStrandedMessages, takeOverMessages } from './adopting.repo.ts';
import { canSend, openChannels, type Send } from './channels.ts';
import type { Delivery } from './delivery.ts';
import { makeAllDue } from './notifications.repo.ts';
import {
  afterMessage,
  FAILURES_INTERVAL,
  GIVE_UP_AFTER,
  LEASE,
  nextSendAt,
  pausedUntil,
  pauseMsAfter,
  retryAt,
  sanitizeRate,
} from './pace.ts';
import {
  type Claimed,
  claimedUntil,
  claimFailures,
  claimSingle,
  failuresDue,
  markSent,
  nextAttemptAt,
  nextSingle,
  type Requeue,
  readClaim,
  requeue,
} from './sending.repo.ts';

export type NotifierDeps = Pick<Deps, 'env' | 'db' | 'inTransaction' | 'secret' | 'log' | 'now'> & {
  /** Timeout of a service in ms, if not its channel's default. */
  patience?: number;
};

/**
 * Keys of a channel's counters, shared by all nodes: the pace (its points count consecutive failures), and the next
 * time for failed entries.
 */
export const paceOf = (channel: ChannelName) => `${channel}:pace`;
const failuresOf = (channel: ChannelName) => `${channel}:failures`;

/** Longest wait before the next step without a wake-up, in ms. */
const IDLE = 2_000;
const UNCONFIGURED = 5_000;
const RETRY_DELAYS_MS = [500, 2_000, 5_000, 10_000];

/**
 * Sends the channel's next due message, if the pace allows it, and records the result. Returns the wait before the next
 * step, in ms. Several nodes may call it. A message is claimed for 60 s and blocks later ones: it is sent twice only if
 * a node dies.
 * @param signal aborts the sending in progress; its message is requeued as uncertain
 */
export async function deliverNext(
  deps: NotifierDeps,
  channel: ChannelName,
  signal?: AbortSignal,
): Promise<number> {
  const send = await readChannel(deps, channel);
  if (!send) return UNCONFIGURED;
  const waitMs = await timeUntilDue(deps.db, channel, deps.now());
  if (waitMs > 0) return waitMs;
  const next = await deps.inTransaction((tx) => claimNext(tx, channel, deps.now()));
  if (typeof next === 'number') return next;
  const { patience } = deps;
  const message = {
    text: notificationText(next, deps.now(), channel),
    id: `${next.oldest}.${next.count}`,
  };
  const delivery = await send(message, { ...(patience && { patience }), signal });
  if (delivery.kind !== 'sent') {
    deps.log.warn(
      { component: 'notifications', channel, error: delivery.error, kind: delivery.kind },
      'message not sent',
    );
  }
  await recordResult(deps, channel, next, delivery);
  return 0;
}

/** Sends a message at once, outside the queue, and returns the service's reply. On success the queue resumes, too. */
export async function sendTestMessage(
  deps: NotifierDeps,
  channel: ChannelName,
): Promise<{ sent: boolean; answer: string } | Refusal<'NOT_CONFIGURED'>> {
  const send = await readChannel(deps, channel);
  if (!send) return refuse('NOT_CONFIGURED');
  const delivery = await send({ text: testMessages[channel], id: randomUUID() });
  if (delivery.kind !== 'sent') return { sent: false, answer: delivery.error };
  await resumeNotifications(deps, channel);
  return { sent: true, answer: delivery.answer };
}

/** Retries messages that the old settings held back; called after a channel's settings changed. */
export async function resumeNotifications(
  { inTransaction, now }: Pick<NotifierDeps, 'inTransaction' | 'now'>,
  channel: ChannelName,
): Promise<void> {
  await inTransaction(async (tx) => {
    await removeCounter(tx, paceOf(channel));
    await makeAllDue(tx, channel, now());
  });
}

/** Opens the channel, or returns null if it is not set up. Takes over messages of channels that are not set up. */
async function readChannel(deps: NotifierDeps, channel: ChannelName): Promise<Send | null> {
  const channels = await openChannels(deps);
  const opened = channels[channel];
  if (opened === 'unreadable')
    deps.log.warn({ component: 'notifications', channel }, 'the stored password belongs to another secret');
  if (!canSend(opened)) return null;
  const lost = CHANNELS.filter((name) => !canSend(channels[name]));
  if (await hasStrandedMessages(deps.db, channel, lost, deps.now()))
    await deps.inTransaction((tx) => takeOverMessages(tx, channel, lost, deps.now()));
  return opened;
}

/** Claims the next message, or returns the wait in ms. The lock on the pace's row makes nodes take turns. */
async function claimNext(tx: Db, channel: ChannelName, now: Date): Promise<Claimed | number> {
  const time = now.getTime();
  const pace = await lockCounter(tx, paceOf(channel), now);
  const paced = sanitizeRate(pace.resets_at, time);
  const remainingMs = nextSendAt(paced) - time;
  if (remainingMs > 0) return Math.min(remainingMs, IDLE);
  const leaseEnd = await claimedUntil(tx, channel, new Date(time - GIVE_UP_AFTER), now);
  if (leaseEnd !== null) return Math.min(leaseEnd - time, IDLE);
  const claim = randomUUID();
  // Then only failures are due, and their minute is not over.
  if (!(await claimRows(tx, channel, now, claim))) return IDLE;
  await setCounter(tx, paceOf(channel), pace.points, afterMessage(paced, time));
  return readClaim(tx, claim);
}

async function claimRows(tx: Db, channel: ChannelName, now: Date, claim: string): Promise<boolean> {
  const since = new Date(now.getTime() - GIVE_UP_AFTER);
  const until = new Date(now.getTime() + LEASE);
  const id = await nextSingle(tx, channel, since, now);
  if (id !== null) return claimSingle(tx, channel, id, claim, until);
  if (!(await failuresDue(tx, channel, since, now))) return false;
  const failures = await lockCounter(tx, failuresOf(channel), now);
  const waitMs = failures.resets_at - now.getTime();
  if (waitMs > 0 && waitMs <= FAILURES_INTERVAL) return false;
  await setCounter(tx, failuresOf(channel), 0, now.getTime() + FAILURES_INTERVAL);
  return claimFailures(tx, channel, since, now, claim, until);
}

/** Checks without a lock, because most checks find nothing due. Returns the wait in ms; 0 or less if claiming is worthwhile. */
async function timeUntilDue(db: Db, channel: ChannelName, now: Date): Promise<number> {
  const time = now.getTime();
  const next = await nextAttemptAt(db, channel, new Date(time - GIVE_UP_AFTER), now);
  if (next === null) return IDLE;
  const pace = await readCounter(db, paceOf(channel));
  const opens = Math.max(next, pace === null ? 0 : nextSendAt(sanitizeRate(pace.resets_at, time)));
  return Math.min(opens - time, IDLE);
}

/** Records the result and retries after database errors, so that a sent message is not sent again. */
async function recordResult(
  deps: NotifierDeps,
  channel: ChannelName,
  claimed: Claimed,
  delivery: Delivery,
): Promise<void> {
  for (const wait of RETRY_DELAYS_MS) {
    try {
      return await deps.inTransaction((tx) => writeResult(tx, channel, claimed, delivery, deps.now()));
    } catch (error) {
      deps.log.warn({ component: 'notifications', err: error }, 'the result of a message could not be noted');
      await delay(wait);
    }
  }
  await deps.inTransaction((tx) => writeResult(tx, channel, claimed, delivery, deps.now()));
}

async function writeResult(
  tx: Db,
  channel: ChannelName,
  claimed: Claimed,
  delivery: Delivery,
  now: Date,
): Promise<void> {
  const time = now.getTime();
  const { points, resets_at } = await lockCounter(tx, paceOf(channel), now);
  const pace = { points, resets_at: sanitizeRate(resets_at, time) };
  switch (delivery.kind) {
    case 'sent':
      await markSent(tx, claimed.claim, now);
      return setCounter(tx, paceOf(channel), 0, pace.resets_at);
    case 'refused':
      return requeue(tx, claimed.claim, {
        next: new Date(time + pauseMsAfter(claimed.attempts)),
        error: delivery.error,
      });
    case 'limited':
      await retryNow(tx, channel, claimed, { next: now, error: delivery.error });
      return setCounter(
        tx,
        paceOf(channel),
        points,
        pausedUntil(pace.resets_at, retryAt(delivery.retry_after, time)),
      );
    case 'failed':
      await retryNow(tx, channel, claimed, {
        next: now,
        error: delivery.error,
        uncertain: delivery.uncertain,
      });
      return pauseForAll(tx, channel, pace, time);
  }
}

/** Requeues the message as the next one; failures don't wait another minute. */
async function retryNow(
  tx: Db,
  channel: ChannelName,
  { claim, failures }: Claimed,
  setback: Requeue,
): Promise<void> {
  await requeue(tx, claim, setback);
  if (failures) await removeCounter(tx, failuresOf(channel));
}

async function pauseForAll(tx: Db, channel: ChannelName, pace: CounterRow, time: number): Promise<void> {
  const failures = pace.points + 1;
  await setCounter(tx, paceOf(channel), failures, pausedUntil(pace.resets_at, time + pauseMsAfter(failures)));
}
