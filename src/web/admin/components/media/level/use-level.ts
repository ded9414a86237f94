import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Levelling, MediaItem } from '../../../../../contract/admin/media.ts';
import type { LevelledSlot } from '../../../../../domain/media-slots.ts';
import { levelTexts as texts } from '../../../../../texts/admin/loudness.ts';
import { toastError, toastSuccess } from '../../../../ui/toaster/toast.ts';
import { api, queries } from '../../../api.ts';
import { messageOf } from '../../../failure.ts';
import { readAgain, takeOver } from '../saved.ts';

/** While it is worked on it is asked this often how far it is, in ms. */
const LOOK_AGAIN_MS = 1_000;

/** How far the levelling of a file is, and what can be done about it. */
export function useLevel(slot: LevelledSlot, { id }: MediaItem, enabled: boolean) {
  const queryClient = useQueryClient();
  const input = { slot, id };
  const { queryKey } = queries.media.levelling.queryOptions({ input });
  const { data } = useQuery(
    queries.media.levelling.queryOptions({
      input,
      enabled,
      refetchInterval: ({ state }) => (state.data?.state === 'working' ? LOOK_AGAIN_MS : false),
    }),
  );
  const heard = (levelling: Levelling) => queryClient.setQueryData(queryKey, levelling);
  useWhenOver(data?.state, () => readAgain(queryClient, slot));
  const begin = useMutation({
    mutationFn: () => api.media.level(input),
    onSuccess: heard,
    onError: (error) => toastError(messageOf(error, texts.failed)),
  });
  const stop = useMutation({
    mutationFn: () => api.media.stopLevel(input),
    onSuccess: heard,
    onError: (error) => toastError(messageOf(error, texts.stopFailed)),
  });
  const restore = useMutation({
    mutationFn: () => api.media.original(input),
    onSuccess: (saved) => {
      takeOver(queryClient, slot, saved);
      toastSuccess(texts.restored);
    },
    onError: (error) => toastError(messageOf(error, texts.restoreFailed)),
  });
  return { levelling: data ?? ({ state: 'idle' } as const), begin, stop, restore };
}

/** Another file is in its place then. */
function useWhenOver(state: Levelling['state'] | undefined, over: () => void): void {
  const before = useRef(state);
  useEffect(() => {
    if (before.current === 'working' && state === 'idle') over();
    before.current = state;
  });
}
