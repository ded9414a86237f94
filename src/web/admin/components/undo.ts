import { commonTexts } from '../../../texts/admin/common.ts';
import { toastSuccess } from '../../ui/toaster/toast.ts';

/** For so long what was just done can be taken back, in milliseconds. */
const UNDO_MS = 8_000;

/** Says that something was done, with «Annulla» in the notice. @param id a notice with the same id is replaced */
export function showWithUndo(sentence: string, undo: () => void, id?: string): void {
  const action = { label: commonTexts.cancel, onClick: undo };
  toastSuccess(sentence, { action, duration: UNDO_MS, ...(id !== undefined && { id }) });
}
