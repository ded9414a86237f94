import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SlotName } from '../../../../../domain/media-slots.ts';
import { discardUpload, listUnfinished, type UnfinishedUpload } from '../uploads/remembered.ts';
import { useUpload } from '../uploads/store.ts';

const NONE: readonly UnfinishedUpload[] = [];

/** Returns a slot's uploads that an earlier page load left unfinished. */
export function useUnfinishedUploads(slot: SlotName) {
  const queryClient = useQueryClient();
  const idle = useUpload(slot) === undefined;
  const queryKey = ['uploads', slot];
  const { data, isFetching } = useQuery({
    queryKey,
    queryFn: () => listUnfinished(slot),
    enabled: idle,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return {
    // Hides data that was read before the last upload.
    unfinished: idle && !isFetching ? (data ?? NONE) : NONE,
    discard: async ({ address }: UnfinishedUpload) => {
      await discardUpload(address);
      await queryClient.invalidateQueries({ queryKey });
    },
  };
}
