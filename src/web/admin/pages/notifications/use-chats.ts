import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { shouldKeepSearching } from '../../../../domain/channels.ts';
import { CHAT_SEARCH } from '../../../../domain/limits.ts';
import { api, queries } from '../../api.ts';

type ChatSearch = Awaited<ReturnType<typeof api.notifications.chats>> & { looks: number };
export type FoundChat = ChatSearch['chat'][number];

/**
 * The chats the saved bot was met in, looked for again and again while the page is looked at: for some minutes of that, or until something
 * speaks against it or one is chosen. Who goes over to Telegram and comes back finds it going on.
 */
export function useChats(chosen: boolean) {
  // Every search begins with nothing of the ones before.
  const [search] = useState(() => crypto.randomUUID());
  const goesOn = (look: ChatSearch | undefined) =>
    look === undefined || shouldKeepSearching(look.looks, look.problema);
  const { data, error } = useQuery({
    queryKey: [...queries.notifications.chats.key(), search],
    queryFn: async ({ signal, client, queryKey }): Promise<ChatSearch> => {
      const found = await api.notifications.chats({}, { signal });
      return { ...found, looks: (client.getQueryData<ChatSearch>(queryKey)?.looks ?? 0) + 1 };
    },
    // What is over stays so, whatever else has the page read again: the button mustn't vanish under the finger.
    enabled: ({ state }) => !chosen && goesOn(state.data),
    gcTime: 0,
    refetchInterval: ({ state }) => (state.error === null ? CHAT_SEARCH.everyMs : false),
  });
  return {
    bot: data?.bot ?? null,
    chats: data?.chat ?? [],
    problem: data?.problema ?? null,
    error,
    isOver: chosen || error !== null || !goesOn(data),
  };
}
