import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { type AdminLiveMessage, LIVE_TOPICS, type LiveTopic } from '../../contract/admin/dashboard.ts';
import { type LiveListener, openEvents } from '../api/live-events.ts';
import { queries } from './api.ts';
import { isSignedOut, onSignInChange } from './signed-out.ts';

/** Queries to refetch when a topic has changed. */
const QUERY_KEYS: Record<LiveTopic, readonly QueryKey[]> = {
  sessions: [queries.sessions.key(), queries.ready.key()],
  logs: [queries.logs.key(), queries.dashboard.key(), queries.archive.key()],
  tokens: [queries.tokens.key(), queries.bin.key(), queries.dashboard.key(), queries.ready.key()],
  answers: [queries.answers.key(), queries.ready.key()],
  config: [
    queries.config.key(),
    queries.questions.key(),
    queries.media.key(),
    queries.bin.key(),
    queries.notifications.key(),
    queries.ready.key(),
  ],
  diagnosis: [queries.diagnosis.key(), queries.ready.key()],
  ready: [queries.ready.key()],
  plan_b: [queries.planB.key()],
};

/** Changes come in bursts (an entry touches three tables); they are batched for this time, in ms. */
const BATCH_MS = 150;

/** Keeps the administration's data current while its pages are open; used once, in the layout. Closes the channel while signed out. */
export function useAdminLive(): void {
  const queryClient = useQueryClient();
  const signedOut = useSyncExternalStore(onSignInChange, isSignedOut);
  useEffect(() => {
    if (signedOut) return;
    const reading = createBatch((topics) => refetchTopics(queryClient, topics));
    const close = openEvents('/api/admin/events', adminListener(reading.add));
    return () => {
      close();
      reading.stop();
    };
  }, [queryClient, signedOut]);
}

/**
 * Maps events of the channel to topics to refetch. Opening refetches all, because changes may have been missed. A refused
 * connection does as well: an ended session then requests a new sign-in, and no page stays outdated.
 */
export function adminListener(
  changed: (topics: readonly LiveTopic[]) => void,
): LiveListener<AdminLiveMessage> {
  return {
    opened: () => changed(LIVE_TOPICS),
    refused: () => changed(LIVE_TOPICS),
    message(message) {
      if (message.type === 'changed') changed(message.topics);
      if (message.type === 'resync') changed(LIVE_TOPICS);
    },
  };
}

/** Refetches visible data; other cached data is refetched when shown. Data never read stays unread. */
export function refetchTopics(queryClient: QueryClient, topics: ReadonlySet<LiveTopic>): void {
  for (const queryKey of new Set([...topics].flatMap((topic) => QUERY_KEYS[topic]))) {
    void queryClient.invalidateQueries({ queryKey, predicate: ({ state }) => state.dataUpdatedAt > 0 });
  }
}

function createBatch(work: (topics: ReadonlySet<LiveTopic>) => void) {
  const topics = new Set<LiveTopic>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    work(new Set(topics));
    topics.clear();
  };
  return {
    add(more: readonly LiveTopic[]) {
      for (const topic of more) topics.add(topic);
      timer ??= setTimeout(flush, BATCH_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
