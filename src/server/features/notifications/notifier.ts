import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { CHANNELS, type ChannelName } from '../../../domain/channels.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/limits.ts';
import { notificationText, testMessages } from '../../../texts/notifications.ts';
import { lockCounter, readCounter, removeCounter, setCounter } from '../../db/counters.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { type Refusal, refuse } from '../../refused.ts';
import { createWakeup, type Wakeup } from '../../work/timers.ts';
import { canSend, openChannels } from './channels.ts';
import type { Delivery } from './delivery.ts';
import {
  type Claimed,
  claimedUntil,
  claimMessage,
  makeAllDue,
  nextAttemptAt,
  readClaim,
  removeOld,
  takeOverMessages,
  updateClaimed,
} from './notifications.repo.ts';
import {
  afterMessage,
  FAILURES_INTERVAL,
  nextSendAt,
  pausedUntil,
  pauseMsAfter,
  retryAt,
  sanitizeRate,
} from './pace.ts';

export type NotifierDeps = Pick<Deps, 'env' | 'db' | 'inTransaction' | 'secret' | 'log' | 'now'>;

export type Notifier = {
  /** Called after a queued message was committed: skips the wait for the next check. */
  wake(): void;
  /**
   * Claims no further message; resolves when the one in progress is recorded. Without a reply within a second, that
   * message is requeued.
   */
  stop(): Promise<void>;
};

/** Time for a reply to the last message after a stop, in ms. */
const STOP_TIMEOUT_MS = 1_000;
/** Wait after an unexpected error, in ms. */
const ERROR_RETRY_MS = 5_000;
/** Shortest wait between two checks, in ms, even if woken more often. */
const MIN_WAIT_MS = 100;
const CLEAN_INTERVAL_MS = HOUR_MS;
const RETENTION_MS = 30 * DAY_MS;
/** Longest wait before the next step without a wake-up, in ms. */
const IDLE = 2_000;
const UNCONFIGURED = 5_000;
const RETRY_DELAYS_MS = [500, 2_000, 5_000, 10_000];

/**
 * Sends queued messages until it is stopped, each channel independently. Every node runs one.
 * @param newAlarm creates the interruptible sleep of a channel
 */
export function startNotifier(deps: NotifierDeps, newAlarm = createWakeup): Notifier {
  let cleaned: number | null = null;
  /** Runs at startup and then once an hour. */
  const clean = async () => {
    if (cleaned !== null && performance.now() - cleaned <= CLEAN_INTERVAL_MS) return;
    cleaned = performance.now();
    await deps.inTransaction((tx) => removeOld(tx, new Date(deps.now().getTime() - RETENTION_MS)));
  };
  const channels = CHANNELS.map((channel) => startChannel(deps, channel, clean, newAlarm()));
  return {
    wake: () => channels.forEach(({ wake }) => wake()),
    stop: async () => void (await Promise.all(channels.map(({ stop }) => stop()))),
  };
}

function startChannel(
  deps: NotifierDeps,
  channel: ChannelName,
  clean: () => Promise<void>,
  alarm: Wakeup,
): Notifier {
  const stopping = new AbortController();
  const givingUp = new AbortController();

  async function step(): Promise<number> {
    try {
      await clean();
      return await deliverNext(deps, channel, givingUp.signal);
    } catch (error) {
      deps.log.error(
        { component: 'notifications', channel, err: error },
        'the queue of notifications could not be worked on',
      );
      return ERROR_RETRY_MS;
    }
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const waitMs = await step();
      if (waitMs > 0 && !stopping.signal.aborted) await alarm.sleep(waitMs);
    }
  }

  const working = work();
  return {
    wake: () => alarm.wake(MIN_WAIT_MS),
    async stop() {
      stopping.abort();
      alarm.wake(0);
      const stopTimer = setTimeout(() => givingUp.abort(), STOP_TIMEOUT_MS);
      await working;
      clearTimeout(stopTimer);
    },
  };
}

/**
 * Keys of a channel's counters, shared by all nodes: the pace (its points count consecutive failures), and the next
 * time for failed entries.
 */
export const paceOf = (channel: ChannelName) => `${channel}:pace`;
const failuresOf = (channel: ChannelName) => `${channel}:failures`;

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
  const opened = await openChannel(deps, channel);
  if (opened === null) return UNCONFIGURED;
  const waitMs = await timeUntilDue(deps.db, channel, deps.now());
  if (waitMs > 0) return waitMs;
  const next = await deps.inTransaction((tx) => claimNext(tx, channel, deps.now()));
  if (typeof next === 'number') return next;
  const text = notificationText(next, deps.now(), channel);
  const delivery = await opened.send({ text, id: next.id }, signal);
  if (delivery.kind !== 'sent') {
    deps.log.warn(
      { component: 'notifications', channel, error: delivery.error, kind: delivery.kind },
      'message not sent',
    );
  }
  await recordResult(deps, channel, next, delivery);
  return 0;
}

/** Sends «Invia un messaggio di prova» at once, outside the queue, and returns the service's reply. On success the queue resumes, too. */
export async function sendTestMessage(
  deps: NotifierDeps,
  { canale }: { canale: ChannelName },
): Promise<{ sent: boolean; answer: string } | Refusal<'NOT_CONFIGURED'>> {
  const opened = await openChannel(deps, canale);
  if (opened === null) return refuse('NOT_CONFIGURED');
  const delivery = await opened.send({ text: testMessages[canale], id: randomUUID() });
  if (delivery.kind !== 'sent') return { sent: false, answer: delivery.error };
  await resumeNotifications(deps, canale);
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

/** Opens the channel, or returns null if it can't send. Takes over messages of channels that can't. */
async function openChannel(deps: NotifierDeps, channel: ChannelName) {
  const channels = await openChannels(deps);
  const opened = channels[channel];
  if (opened === 'unreadable')
    deps.log.warn({ component: 'notifications', channel }, 'the stored password belongs to another secret');
  if (!canSend(opened)) return null;
  const lost = CHANNELS.filter((name) => !canSend(channels[name]));
  await takeOverMessages(deps, channel, lost, deps.now());
  return opened;
}

/** Checks without a lock, because most checks find nothing due. Returns the wait in ms; 0 or less if claiming is worthwhile. */
async function timeUntilDue(db: Db, channel: ChannelName, now: Date): Promise<number> {
  const time = now.getTime();
  const next = await nextAttemptAt(db, channel, now);
  if (next === null) return IDLE;
  const pace = await readCounter(db, paceOf(channel));
  const opens = Math.max(next, pace === null ? 0 : nextSendAt(sanitizeRate(pace.resets_at, time)));
  return Math.min(opens - time, IDLE);
}

/** Claims the next message, or returns the wait in ms. The lock on the pace's row makes nodes take turns. */
async function claimNext(tx: Db, channel: ChannelName, now: Date): Promise<Claimed | number> {
  const time = now.getTime();
  const pace = await lockCounter(tx, paceOf(channel), now);
  const paced = sanitizeRate(pace.resets_at, time);
  const opens = Math.max(nextSendAt(paced), (await claimedUntil(tx, channel, now)) ?? 0);
  if (opens > time) return Math.min(opens - time, IDLE);
  const claim = randomUUID();
  const isClaimed =
    (await claimMessage(tx, channel, 'single', claim, now)) || (await claimFailures(tx, channel, claim, now));
  // Then only failures are due, and their minute is not over.
  if (!isClaimed) return IDLE;
  await setCounter(tx, paceOf(channel), pace.points, afterMessage(paced, time));
  return readClaim(tx, claim);
}

async function claimFailures(tx: Db, channel: ChannelName, claim: string, now: Date): Promise<boolean> {
  const time = now.getTime();
  const { resets_at } = await lockCounter(tx, failuresOf(channel), now);
  const isWaiting = resets_at > time && resets_at - time <= FAILURES_INTERVAL;
  if (isWaiting || !(await claimMessage(tx, channel, 'failures', claim, now))) return false;
  await setCounter(tx, failuresOf(channel), 0, time + FAILURES_INTERVAL);
  return true;
}

/** Records the result and retries after database errors, so that a sent message is not sent again. */
async function recordResult(
  { inTransaction, log, now }: NotifierDeps,
  channel: ChannelName,
  claimed: Claimed,
  delivery: Delivery,
): Promise<void> {
  const write = () => inTransaction((tx) => writeResult(tx, channel, claimed, delivery, now()));
  for (const wait of RETRY_DELAYS_MS) {
    try {
      return await write();
    } catch (error) {
      log.warn({ component: 'notifications', err: error }, 'the result of a message could not be noted');
      await delay(wait);
    }
  }
  await write();
}

async function writeResult(
  tx: Db,
  channel: ChannelName,
  { claim, attempts, failures }: Claimed,
  delivery: Delivery,
  now: Date,
): Promise<void> {
  const time = now.getTime();
  const { points, resets_at } = await lockCounter(tx, paceOf(channel), now);
  const pace = sanitizeRate(resets_at, time);
  if (delivery.kind === 'sent') {
    await updateClaimed(tx, claim, { sent_at: now.toISOString(), last_error: null });
    return setCounter(tx, paceOf(channel), 0, pace);
  }
  const isAlone = delivery.kind === 'refused';
  await updateClaimed(tx, claim, {
    claim: null,
    last_error: delivery.error,
    next_attempt_at: new Date(time + (isAlone ? pauseMsAfter(attempts) : 0)).toISOString(),
    ...(delivery.kind === 'failed' && delivery.uncertain && { uncertain: true }),
  });
  if (isAlone) return;
  // The message is the next one. Failures don't wait another minute, but the channel waits.
  if (failures) await removeCounter(tx, failuresOf(channel));
  const [failed, until] =
    delivery.kind === 'limited'
      ? [points, retryAt(delivery.retry_after, time)]
      : [points + 1, time + pauseMsAfter(points + 1)];
  await setCounter(tx, paceOf(channel), failed, pausedUntil(pace, until));
}
