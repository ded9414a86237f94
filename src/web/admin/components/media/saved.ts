import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import type { MediaItem } from '../../../../contract/admin/media-item.ts';
import { MEDIA_SLOTS, type SlotName } from '../../../../domain/media-slots.ts';
import { savedTexts } from '../../../../texts/admin/media.ts';
import { slotTexts } from '../../../../texts/admin/slots.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { messageOf } from '../../failure.ts';
import { showDeleted } from '../take-back.ts';

/** The files of a slot, as the cache holds them. */
export const listKey = (slot: SlotName) => queries.media.list.queryKey({ input: { slot } });

/**
 * Takes over what a call answered: the files of a slot, and the configuration that points to the active one. Both are read again after;
 * somebody else may have changed more.
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

/** The same of a call that answered with one file. */
export function applyFile(
  queryClient: QueryClient,
  slot: SlotName,
  { item, versione }: { item: MediaItem; versione: number },
): void {
  const before = queryClient.getQueryData(listKey(slot));
  // Of a list that nobody has read yet nobody knows which is the active one.
  if (before === undefined) return refetchFiles(queryClient, slot);
  const others = MEDIA_SLOTS[slot].kind === 'song' ? [] : before;
  applyFiles(queryClient, slot, { items: withItem(others, item), versione });
}

/** Asks for a slot's files and the configuration again. */
export function refetchFiles(queryClient: QueryClient, slot: SlotName): void {
  void queryClient.invalidateQueries({ queryKey: queries.config.key() });
  void queryClient.invalidateQueries({ queryKey: listKey(slot) });
}

/** A slot's files with one more, or one changed. */
function withItem(items: readonly MediaItem[], item: MediaItem): MediaItem[] {
  const others = items.map((other) => (item.attivo ? { ...other, attivo: false } : other));
  return others.some(({ id }) => id === item.id)
    ? others.map((other) => (other.id === item.id ? item : other))
    : [item, ...others];
}

/** «Usa»: this file from now on. */
export function useActivateFile(slot: SlotName) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: MediaItem) => api.media.use({ slot, id }),
    onSuccess: (saved) => {
      applyFiles(queryClient, slot, saved);
      toastSuccess(slotTexts[slot].selected);
    },
    onError: (error) => {
      void queryClient.invalidateQueries({ queryKey: listKey(slot) });
      toastError(messageOf(error, savedTexts.selectFailed));
    },
  });
}

/** Deletes a file. */
export function useDeleteFile(slot: SlotName) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: MediaItem) => api.media.remove({ slot, id }),
    onSuccess: (saved) => {
      applyFiles(queryClient, slot, saved);
      showDeleted(queryClient, slotTexts[slot].removed, [saved.bin]);
    },
    onError: (error) => {
      void queryClient.invalidateQueries({ queryKey: listKey(slot) });
      toastError(messageOf(error, savedTexts.removeFailed));
    },
  });
}
