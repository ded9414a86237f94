import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { SlotName } from '../../../../../domain/media-slots.ts';
import { followArrived } from '../arrivals/arrived.ts';
import type { Job } from '../uploads/job.ts';

/** What an upload into a slot brings about. It holds on to no page: the administrator may be elsewhere when it ends. */
export function useUploadJob(slot: SlotName): Job {
  const queryClient = useQueryClient();
  return useMemo(
    () => ({ slot, onArrived: (whole) => followArrived(queryClient, whole) }),
    [slot, queryClient],
  );
}
