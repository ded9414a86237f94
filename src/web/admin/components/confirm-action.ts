import { openConfirmModal } from '@mantine/modals';
import { commonTexts } from '../../../texts/admin/forms.ts';

export type Confirmation = {
  /** The specification's question. */
  question: string;
  /** Consequence of the action, if the question does not state it. */
  detail?: string;
  confirmLabel: string;
  onConfirm: () => void;
};

/** Asks for confirmation before a permanent deletion. «Annulla» has the focus. */
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
      // The closing animation lets a second click through.
      if (!confirmed) onConfirm();
      confirmed = true;
    },
  });
}
