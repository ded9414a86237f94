import { Button, Modal } from '@mantine/core';
import { IconBadgeCc } from '@tabler/icons-react';
import { useState } from 'react';
import type { MediaItem } from '../../../../../contract/admin/media-item.ts';
import { captionsTexts as texts } from '../../../../../texts/admin/captions.ts';
import { confirmAction } from '../../confirm-action.ts';
import { CaptionsForm } from './captions-form.tsx';

/** Shows which visitors see a film's captions, and opens the editor. */
export function CaptionsButton({ item }: { item: MediaItem }) {
  const [open, setOpen] = useState(false);
  const [unsaved, setUnsaved] = useState(false);
  const { nome, captions } = item;
  const close = () => {
    setOpen(false);
    setUnsaved(false);
  };
  const askToClose = () => (unsaved ? askToLose(close) : close());
  return (
    <>
      <Button
        variant="subtle"
        size="sm"
        px={0}
        aria-label={captions === null ? texts.addTo(nome) : texts.openOf(captions.mode, nome)}
        leftSection={<IconBadgeCc size={18} aria-hidden />}
        onClick={() => setOpen(true)}
        style={{ alignSelf: 'flex-start' }}
      >
        {captions === null ? texts.add : texts.open(captions.mode)}
      </Button>
      <Modal opened={open} onClose={askToClose} title={texts.title} size="lg" centered>
        <CaptionsForm item={item} onUnsaved={setUnsaved} onClose={askToClose} />
      </Modal>
    </>
  );
}

function askToLose(close: () => void): void {
  confirmAction({
    question: texts.closeQuestion,
    detail: texts.closeDetail,
    confirmLabel: texts.closeConfirm,
    onConfirm: close,
  });
}
