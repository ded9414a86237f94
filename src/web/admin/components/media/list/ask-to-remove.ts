import type { MediaItem } from '../../../../../contract/admin/media-item.ts';
import type { SlotName } from '../../../../../domain/media-slots.ts';
import { savedTexts } from '../../../../../texts/admin/media.ts';
import { slotTexts } from '../../../../../texts/admin/slots.ts';
import { confirmAction } from '../../confirm-action.ts';
import { useDeleteFile } from '../saved.ts';

/** Deletes a file after the specification's question. For the active file, the dialog states the effect on the surprise. */
export function useAskToRemove(slot: SlotName) {
  const remove = useDeleteFile(slot);
  const { removeQuestion, removeActive } = slotTexts[slot];
  return {
    working: remove.isPending,
    ask: (item: MediaItem) =>
      confirmAction({
        question: removeQuestion,
        detail: item.attivo ? removeActive : item.nome,
        confirmLabel: savedTexts.remove,
        onConfirm: () => remove.mutate(item),
      }),
  };
}
