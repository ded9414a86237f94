import { CHANNELS, type ChannelName } from '../../../domain/channels.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/limits.ts';
import { createWakeup, type Wakeup } from '../../work/alarm.ts';
import { removeOld } from './notifications.repo.ts';
import { deliverNext, type NotifierDeps } from './notifications.service.ts';

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

/**
 * Sends queued messages until it is stopped, each channel independently. Every node runs one.
 * @param newAlarm creates the interruptible sleep of a channel
 */
export function startNotifier(deps: NotifierDeps, newAlarm = createWakeup): Notifier {
  const clean = cleaner(deps);
  const channels = CHANNELS.map((channel) => startChannel(deps, channel, clean, newAlarm()));
  return {
    wake: () => channels.forEach(({ wake }) => wake()),
    stop: async () => void (await Promise.all(channels.map(({ stop }) => stop()))),
  };
}

/** Returns a cleaner for all channels, which runs at startup and then once an hour. */
function cleaner({ inTransaction, now }: NotifierDeps): () => Promise<void> {
  let cleaned: number | null = null;
  return async () => {
    if (cleaned !== null && performance.now() - cleaned <= CLEAN_INTERVAL_MS) return;
    cleaned = performance.now();
    const before = new Date(now().getTime() - RETENTION_MS);
    await inTransaction((tx) => removeOld(tx, before));
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
