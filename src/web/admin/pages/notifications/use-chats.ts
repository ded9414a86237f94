import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { shouldKeepSearching } from '../../../../domain/channels.ts';
import { CHAT_SEARCH } from '../../../../domain/limits.ts';
import { api, queries } from '../../api.ts';

type ChatSearch = Awaited<ReturnType<typeof api.notifications.chats>> & { polls: number };
export type FoundChat = ChatSearch['chat'][number];

/**
 * Polls the chats of the saved bot while the page is visible. It ends after some minutes, on a problem, or after a choice. It
 * continues when the administrator returns from Telegram.
 */
export function useChats(chosen: boolean) {
  // A separate cache key per search, so that it starts empty.
  const [search] = useState(() => crypto.randomUUID());
  const shouldContinue = (latest: ChatSearch | undefined) =>
    latest === undefined || shouldKeepSearching(latest.polls, latest.problema);
  const { data, error } = useQuery({
    queryKey: [...queries.notifications.chats.key(), search],
    queryFn: async ({ signal, client, queryKey }): Promise<ChatSearch> => {
      const result = await api.notifications.chats({}, { signal });
      return { ...result, polls: (client.getQueryData<ChatSearch>(queryKey)?.polls ?? 0) + 1 };
    },
    // An ended search stays ended after other refetches, so that the button does not disappear under the finger.
    enabled: ({ state }) => !chosen && shouldContinue(state.data),
    gcTime: 0,
    refetchInterval: ({ state }) => (state.error === null ? CHAT_SEARCH.everyMs : false),
  });
  return {
    bot: data?.bot ?? null,
    chats: data?.chat ?? [],
    problem: data?.problema ?? null,
    error,
    isEnded: chosen || error !== null || !shouldContinue(data),
  };
}
