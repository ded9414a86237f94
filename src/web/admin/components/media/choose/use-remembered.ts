import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { SlotName } from '../../../../../domain/media-slots.ts';
import type { Job } from '../uploads/job.ts';
import { discardUpload, type Remembered, rememberedUploads } from '../uploads/remembered.ts';
import { useUpload } from '../uploads/store.ts';
import { finishRemembered } from '../uploads/uploads.ts';

const NONE: readonly Remembered[] = [];

/** What an earlier page left unfinished in a slot. An upload whose every byte arrived goes on by itself. */
export function useRemembered(slot: SlotName, job: Job) {
  const queryClient = useQueryClient();
  const idle = useUpload(slot) === undefined;
  const queryKey = ['uploads', slot];
  const { data, isFetching } = useQuery({
    queryKey,
    queryFn: () => rememberedUploads(slot),
    enabled: idle,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  // What was read before the last upload is no longer so.
  const found = idle && !isFetching ? (data ?? NONE) : NONE;
  const arrived = found.find(({ sent, size }) => sent === size);
  useEffect(() => {
    if (arrived !== undefined) finishRemembered(arrived, job);
  }, [arrived, job]);
  return {
    unfinished: found.filter((upload) => upload !== arrived),
    discard: async ({ address }: Remembered) => {
      await discardUpload(address);
      await queryClient.invalidateQueries({ queryKey });
    },
  };
}
