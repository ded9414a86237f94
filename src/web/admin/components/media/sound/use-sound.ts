import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { MediaItem } from '../../../../../contract/admin/media-item.ts';
import type { Remaking } from '../../../../../contract/admin/media-work.ts';
import { soundTexts as texts } from '../../../../../texts/admin/sounds.ts';
import { toastError, toastSuccess } from '../../../../ui/toaster/toast.ts';
import { api, queries } from '../../../api.ts';
import { messageOf } from '../../../failure.ts';
import { useWhenOver, whileWorking } from '../remaking.tsx';
import { readAgain } from '../saved.ts';

/** How far a film's change of sound is, and what can be done about it. */
export function useSound({ id, sound }: MediaItem) {
  const queryClient = useQueryClient();
  const input = { id };
  const { queryKey } = queries.sounds.working.queryOptions({ input });
  const { data } = useQuery(queries.sounds.working.queryOptions({ input, refetchInterval: whileWorking }));
  const heard = (remaking: Remaking) => queryClient.setQueryData(queryKey, remaking);
  useWhenOver(data?.state, () => readAgain(queryClient, 'video'));
  useToldChange(sound);
  const choose = useMutation({
    mutationFn: (place: number) => api.sounds.choose({ id, sound: place }),
    onSuccess: heard,
    onError: (error) => toastError(messageOf(error, texts.failed)),
  });
  const stop = useMutation({
    mutationFn: () => api.sounds.stop(input),
    onSuccess: heard,
    onError: (error) => toastError(messageOf(error, texts.stopFailed)),
  });
  return { work: data ?? ({ state: 'idle' } as const), choose, stop };
}

/** The list has the film with its new sound: told once. */
function useToldChange(sound: number | null): void {
  const before = useRef(sound);
  useEffect(() => {
    if (before.current !== sound) toastSuccess(texts.changed);
    before.current = sound;
  }, [sound]);
}
