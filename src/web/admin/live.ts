import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { type AdminLiveMessage, LIVE_TOPICS, type LiveTopic } from '../../contract/admin/live.ts';
import { type LiveListener, openEvents } from '../api/live-events.ts';
import { queries } from './api.ts';
import { isSignedOut, onSignInChange } from './signed-out.ts';

/** What is read again when a topic has changed. */
const READ_OF: Record<LiveTopic, readonly QueryKey[]> = {
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

/** Changes come in bursts (an entry touches three tables): they are gathered for this long, in milliseconds. */
const GATHER_MS = 150;

/**
 * Keeps what the administration shows up to date while its pages are open; the layout does so once for all of them. While nobody is signed
 * in there is nothing to hear.
 */
export function useAdminLive(): void {
  const queryClient = useQueryClient();
  const signedOut = useSyncExternalStore(onSignInChange, isSignedOut);
  useEffect(() => {
    if (signedOut) return;
    const reading = gathering((topics) => refetchTopics(queryClient, topics));
    const close = openEvents('/api/admin/events', adminListener(reading.add));
    return () => {
      close();
      reading.stop();
    };
  }, [queryClient, signedOut]);
}

/**
 * What the channel's words mean. Whenever it opens, news may have been missed. Where it is refused what is on the screen is read again:
 * if the session has ended, that asks for a new sign-in, and nobody watches a page that doesn't live.
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

/** What nobody has read yet is not read for this; what is on the screen is read again, the rest when it is shown. */
export function refetchTopics(queryClient: QueryClient, topics: ReadonlySet<LiveTopic>): void {
  for (const queryKey of new Set([...topics].flatMap((topic) => READ_OF[topic]))) {
    void queryClient.invalidateQueries({ queryKey, predicate: ({ state }) => state.dataUpdatedAt > 0 });
  }
}

function gathering(work: (topics: ReadonlySet<LiveTopic>) => void) {
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
      timer ??= setTimeout(flush, GATHER_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
