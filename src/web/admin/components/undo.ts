import { commonTexts } from '../../../texts/admin/forms.ts';
import { toastSuccess } from '../../ui/toaster/toast.ts';

/** Time in ms for which an action can be undone. */
const UNDO_MS = 8_000;

/** Reports an action, with «Annulla» in the toast. @param id replaces a toast with the same id */
export function showWithUndo(sentence: string, undo: () => void, id?: string): void {
  const action = { label: commonTexts.cancel, onClick: undo };
  toastSuccess(sentence, { action, duration: UNDO_MS, ...(id !== undefined && { id }) });
}
