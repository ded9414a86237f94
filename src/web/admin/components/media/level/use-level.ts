import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { MediaItem } from '../../../../../contract/admin/media-item.ts';
import type { Remaking } from '../../../../../contract/admin/media-work.ts';
import type { LevelledSlot } from '../../../../../domain/media-slots.ts';
import { levelTexts as texts } from '../../../../../texts/admin/loudness.ts';
import { toastError, toastSuccess } from '../../../../ui/toaster/toast.ts';
import { api, queries } from '../../../api.ts';
import { messageOf } from '../../../failure.ts';
import { useWhenOver, whileWorking } from '../remaking.tsx';
import { readAgain, takeOver } from '../saved.ts';

/** How far the levelling of a file is, and what can be done about it. */
export function useLevel(slot: LevelledSlot, { id }: MediaItem, enabled: boolean) {
  const queryClient = useQueryClient();
  const input = { slot, id };
  const { queryKey } = queries.media.levelling.queryOptions({ input });
  const { data } = useQuery(
    queries.media.levelling.queryOptions({
      input,
      enabled,
      refetchInterval: whileWorking,
    }),
  );
  const heard = (levelling: Remaking) => queryClient.setQueryData(queryKey, levelling);
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
