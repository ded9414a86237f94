import { Button, Modal } from '@mantine/core';
import { IconFocus2 } from '@tabler/icons-react';
import { useState } from 'react';
import type { MediaItem } from '../../../../../contract/admin/media-item.ts';
import type { ImageSlot } from '../../../../../domain/media-slots.ts';
import { focusTexts as texts } from '../../../../../texts/admin/focus.ts';
import { FocusForm } from './focus-form.tsx';

type FocusButtonProps = { slot: ImageSlot; item: MediaItem };

/** Opens the choice of the picture's focus point. */
export function FocusButton({ slot, item }: FocusButtonProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        variant="subtle"
        size="sm"
        px={0}
        aria-label={texts.openOf(item.nome)}
        leftSection={<IconFocus2 size={18} aria-hidden />}
        onClick={() => setOpen(true)}
        style={{ alignSelf: 'flex-start' }}
      >
        {texts.open}
      </Button>
      <Modal opened={open} onClose={close} title={texts.title} size="lg" centered>
        <FocusForm slot={slot} item={item} onDone={close} />
      </Modal>
    </>
  );
}
