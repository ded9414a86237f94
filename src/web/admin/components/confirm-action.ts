import { openConfirmModal } from '@mantine/modals';
import { commonTexts } from '../../../texts/admin/common.ts';

export type Confirmation = {
  /** The specification's question. */
  question: string;
  /** What it brings about, where the question doesn't say. */
  detail?: string;
  confirmLabel: string;
  onConfirm: () => void;
};

/** Asks before something is gone for good; «Annulla» is where the keyboard stands. */
export function confirmAction({ question, detail, confirmLabel, onConfirm }: Confirmation): void {
  let confirmed = false;
  openConfirmModal({
    title: question,
    children: detail,
    withCloseButton: false,
    labels: { confirm: confirmLabel, cancel: commonTexts.cancel },
    confirmProps: { color: 'red.9' },
    cancelProps: { 'data-autofocus': true },
    onConfirm: () => {
      // The dialog takes its time to close: a second click is not a second wish.
      if (!confirmed) onConfirm();
      confirmed = true;
    },
  });
}
