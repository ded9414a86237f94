import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { SlotName } from '../../../../../domain/media-slots.ts';
import { slotTexts } from '../../../../../texts/admin/media.ts';
import { toastSuccess } from '../../../../ui/toaster/toast.ts';
import { givePoster } from '../poster/give-poster.ts';
import { listKey, takeOver, withItem } from '../saved.ts';
import type { Job } from '../uploads/job.ts';

/** What an upload into a slot brings about. It holds on to no page: the administrator may be elsewhere when it ends. */
export function useUploadJob(slot: SlotName): Job {
  const queryClient = useQueryClient();
  return useMemo(
    () => ({
      slot,
      onKept: ({ item, versione }, file) => {
        const before = slot === 'canzone' ? [] : (queryClient.getQueryData(listKey(slot)) ?? []);
        takeOver(queryClient, slot, { items: withItem(before, item), versione });
        toastSuccess(slotTexts[slot].uploaded);
        if (slot === 'video' && item.poster_url === null) void givePoster(queryClient, item, file);
      },
    }),
    [slot, queryClient],
  );
}
