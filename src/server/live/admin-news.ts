import { type AdminLiveMessage, LIVE_TOPICS, type LiveTopic } from '../../contract/admin/dashboard.ts';
import type { BusMessage } from './bus.ts';

type ChangeMessage = Extract<AdminLiveMessage, { type: 'changed' | 'resync' }>;

/** The first change is sent at once, further ones at most once in this time, in ms: the heartbeats of many visits become one message. */
const INTERVAL_MS = 1_000;

export type ChangeBatcher = {
  onMessage(message: BusMessage): void;
  /** Discards unsent changes. */
  close(): void;
};

/** Merges the many messages of the bus into few for the administrator's pages. */
export function batchChanges(send: (change: ChangeMessage) => void): ChangeBatcher {
  const changed = new Set<LiveTopic>();
  let resync = false;
  let lastSentAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  const sendAll = () => {
    timer = undefined;
    lastSentAt = performance.now();
    const topics = LIVE_TOPICS.filter((topic) => changed.has(topic));
    send(resync ? { type: 'resync' } : { type: 'changed', topics });
    changed.clear();
    resync = false;
  };
  return {
    onMessage(message) {
      if (message.type === 'resync') resync = true;
      else if (message.type === 'changed') for (const topic of message.topics) changed.add(topic);
      else return;
      if (timer !== undefined) return;
      const wait = lastSentAt + INTERVAL_MS - performance.now();
      if (wait <= 0) sendAll();
      else timer = setTimeout(sendAll, wait).unref();
    },
    close: () => clearTimeout(timer),
  };
}
