import { type AdminLiveMessage, LIVE_TOPICS, type LiveTopic } from '../../contract/admin/live.ts';
import type { BusMessage } from './bus.ts';

type ChangeMessage = Extract<AdminLiveMessage, { type: 'changed' | 'resync' }>;

/** The first change is sent at once, further ones at most once in this time, in ms: the heartbeats of many visits become one message. */
const EVERY = 1_000;

export type ChangeBatcher = {
  hear(message: BusMessage): void;
  /** Discards unsent changes. */
  close(): void;
};

/** Merges the many messages of the bus into few for the administrator's pages. */
export function batchChanges(tell: (news: ChangeMessage) => void): ChangeBatcher {
  const changed = new Set<LiveTopic>();
  let resync = false;
  let told = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  const tellAll = () => {
    timer = undefined;
    told = performance.now();
    const topics = LIVE_TOPICS.filter((topic) => changed.has(topic));
    tell(resync ? { type: 'resync' } : { type: 'changed', topics });
    changed.clear();
    resync = false;
  };
  return {
    hear(message) {
      if (message.type === 'resync') resync = true;
      else if (message.type === 'changed') for (const topic of message.topics) changed.add(topic);
      else return;
      if (timer !== undefined) return;
      const wait = told + EVERY - performance.now();
      if (wait <= 0) tellAll();
      else timer = setTimeout(tellAll, wait).unref();
    },
    close: () => clearTimeout(timer),
  };
}
