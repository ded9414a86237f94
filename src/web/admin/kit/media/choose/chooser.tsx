import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import '@mantine/dropzone/styles.css';
import { Dropzone } from '@mantine/dropzone';
import { IconAlertTriangle, IconUpload } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { MEDIA_SLOTS, type SlotName } from '../../../../../domain/media-slots.ts';
import { slotTexts, uploadTexts } from '../../../../../texts/admin/media.ts';
import { ACCEPTED } from './check-file.ts';
import styles from './chooser.module.css';
import { useMaxBytes } from './max-bytes.ts';

type ChooserProps = {
  slot: SlotName;
  /** Why the file that was chosen, or none, isn't taken. */
  problem: string | null;
  onFile: (file: File) => void;
  /** What stands in the zone in place of the invitation, once a file is chosen. */
  children?: ReactNode;
};

/** Where a file is dropped, or chosen by mouse, finger or keyboard. */
export function Chooser({ slot, problem, onFile, children }: ChooserProps) {
  const open = useRef<() => void>(null);
  const texts = slotTexts[slot];
  const maxBytes = useMaxBytes(slot);
  return (
    <Stack gap="xs">
      <Dropzone
        openRef={open}
        multiple={false}
        accept={ACCEPTED[MEDIA_SLOTS[slot].kind].filter((mark) => mark.includes('/'))}
        onDrop={() => {}}
        onDropAny={(files, rejected) => {
          const file = files[0] ?? rejected[0]?.file;
          if (file !== undefined) onFile(file);
        }}
        // The keyboard finds the button inside; a zone that were a button itself could hold none.
        activateOnKeyboard={false}
        enablePointerEvents
        className={styles.zone}
        inputProps={{
          'aria-label': uploadTexts.field(texts.title),
          accept: ACCEPTED[MEDIA_SLOTS[slot].kind].join(','),
        }}
      >
        <Stack align="center" gap="sm">
          {children ?? (
            <>
              <IconUpload size={32} stroke={1.5} aria-hidden />
              <Text fw={550} ta="center" className={styles.drop}>
                {texts.drop}
              </Text>
            </>
          )}
          <Group justify="center">
            <Button
              variant={children === undefined ? 'filled' : 'default'}
              onClick={(event) => {
                event.stopPropagation();
                open.current?.();
              }}
            >
              {children === undefined ? texts.choose : uploadTexts.change}
            </Button>
          </Group>
          <Text size="sm" c="dimmed" ta="center">
            {texts.hint(maxBytes)}
          </Text>
        </Stack>
      </Dropzone>
      {problem !== null && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {problem}
        </Alert>
      )}
    </Stack>
  );
}
