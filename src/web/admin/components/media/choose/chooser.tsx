import { Button, Stack, Text } from '@mantine/core';
import '@mantine/dropzone/styles.css';
import { Dropzone } from '@mantine/dropzone';
import { IconUpload } from '@tabler/icons-react';
import { useRef } from 'react';
import { MEDIA_SLOTS, type SlotName } from '../../../../../domain/media-slots.ts';
import { slotTexts } from '../../../../../texts/admin/slots.ts';
import { uploadTexts } from '../../../../../texts/admin/uploads.ts';
import { toastError } from '../../../../ui/toaster/toast.ts';
import { ACCEPTED } from './check-file.ts';
import styles from './chooser.module.css';
import { useMaxBytes } from './max-bytes.ts';

type ChooserProps = {
  slot: SlotName;
  onFile: (file: File) => void;
};

/** A drop zone with a button to choose a file. */
export function FilePicker({ slot, onFile }: ChooserProps) {
  const open = useRef<() => void>(null);
  const texts = slotTexts[slot];
  const maxBytes = useMaxBytes(slot);
  return (
    <Dropzone
      openRef={open}
      multiple={false}
      accept={ACCEPTED[MEDIA_SLOTS[slot].kind].filter((mark) => mark.includes('/'))}
      onDrop={() => {}}
      onDropAny={(files, rejected) => {
        const file = files[0] ?? rejected[0]?.file;
        if (file !== undefined) onFile(file);
        else toastError(texts.missing);
      }}
      // The button inside handles the keyboard; an interactive zone must not contain a button.
      activateOnKeyboard={false}
      enablePointerEvents
      className={styles.zone}
      inputProps={{
        'aria-label': uploadTexts.field(texts.title),
        accept: ACCEPTED[MEDIA_SLOTS[slot].kind].join(','),
      }}
    >
      <Stack align="center" gap="sm">
        <IconUpload size={32} stroke={1.5} aria-hidden className={styles.drop} />
        <Text fw={550} ta="center" className={styles.drop}>
          {texts.drop}
        </Text>
        <Button
          size="md"
          onClick={(event) => {
            event.stopPropagation();
            open.current?.();
          }}
        >
          {texts.choose}
        </Button>
        <Text size="sm" ta="center">
          {uploadTexts.startsAtOnce(MEDIA_SLOTS[slot].kind)}
        </Text>
        <Text size="sm" c="dimmed" ta="center">
          {texts.hint(maxBytes)}
        </Text>
      </Stack>
    </Dropzone>
  );
}
