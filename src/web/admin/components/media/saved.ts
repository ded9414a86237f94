import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { MediaItem } from '../../../../contract/admin/media.ts';
import { MEDIA_SLOTS, type SlotName } from '../../../../domain/media.ts';
import { savedTexts } from '../../../../texts/admin/media.ts';
import { slotTexts } from '../../../../texts/admin/slots.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { messageOf } from '../../failure.ts';
import { showDeleted } from '../take-back.ts';

/** Query key of a slot's files. */
export const listKey = (slot: SlotName) => queries.media.list.queryKey({ input: { slot } });

/**
 * Writes a call's result into the cache: the slot's files, and the configuration's active file. Both are then refetched, because
 * more may have changed elsewhere.
 */
export function applyFiles(
  queryClient: QueryClient,
  slot: SlotName,
  { items, versione }: { items: MediaItem[]; versione: number },
): void {
  queryClient.setQueryData(listKey(slot), items);
  const active = items.find(({ attivo }) => attivo)?.url ?? null;
  queryClient.setQueryData(queries.config.read.queryKey(), (config) =>
    config === undefined || config.versione > versione
      ? config
      : { ...config, [MEDIA_SLOTS[slot].field]: active },
  );
  refetchFiles(queryClient, slot);
}

/** Writes the result of a call that returned one file. */
export function applyFile(
  queryClient: QueryClient,
  slot: SlotName,
  { item, versione }: { item: MediaItem; versione: number },
): void {
  const before = queryClient.getQueryData(listKey(slot));
  // Without a cached list, the active file is unknown.
  if (before === undefined) return refetchFiles(queryClient, slot);
  const others = MEDIA_SLOTS[slot].kind === 'song' ? [] : before;
  applyFiles(queryClient, slot, { items: withItem(others, item), versione });
}

/** Refetches a slot's files and the configuration. */
export function refetchFiles(queryClient: QueryClient, slot: SlotName): void {
  void queryClient.invalidateQueries({ queryKey: queries.config.key() });
  void queryClient.invalidateQueries({ queryKey: listKey(slot) });
}

/** Adds or replaces one file. */
function withItem(items: readonly MediaItem[], item: MediaItem): MediaItem[] {
  const others = items.map((other) => (item.attivo ? { ...other, attivo: false } : other));
  return others.some(({ id }) => id === item.id)
    ? others.map((other) => (other.id === item.id ? item : other))
    : [item, ...others];
}

/** «Usa»: makes this file the active one. */
export function useActivateFile(slot: SlotName) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: MediaItem) => api.media.use({ slot, id }),
    onSuccess: (result) => {
      applyFiles(queryClient, slot, result);
      toastSuccess(slotTexts[slot].selected);
    },
    onError: (error) => {
      void queryClient.invalidateQueries({ queryKey: listKey(slot) });
      toastError(messageOf(error, savedTexts.selectFailed));
    },
  });
}

export function useDeleteFile(slot: SlotName) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: MediaItem) => api.media.remove({ slot, id }),
    onSuccess: (result) => {
      applyFiles(queryClient, slot, result);
      showDeleted(queryClient, slotTexts[slot].removed, [result.bin]);
    },
    onError: (error) => {
      void queryClient.invalidateQueries({ queryKey: listKey(slot) });
      toastError(messageOf(error, savedTexts.removeFailed));
    },
  });
}
