import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MediaItem } from '../../../../../contract/admin/media-item.ts';
import { type Fuoco, toCssPosition } from '../../../../../domain/focus.ts';
import type { ImageSlot } from '../../../../../domain/media-slots.ts';
import { focusTexts as texts } from '../../../../../texts/admin/focus.ts';
import { thumbnailOf } from '../../../../scenes/sized-picture.ts';
import { toastError, toastSuccess } from '../../../../ui/toaster/toast.ts';
import { api } from '../../../api.ts';
import { messageOf } from '../../../failure.ts';
import { BusyButton } from '../../working-button.tsx';
import { applyFiles } from '../saved.ts';
import styles from './focus.module.css';
import { PointPicker } from './point-picker.tsx';

type FocusFormProps = { slot: ImageSlot; item: MediaItem; onDone: () => void };

/** The picture with its focus point, and previews on three screens. */
export function FocusForm({ slot, item, onDone }: FocusFormProps) {
  const [fuoco, setFuoco] = useState(item.fuoco);
  const save = useSaveFocus(slot, item, onDone);
  return (
    <Stack>
      <Text size="sm">{texts.hint}</Text>
      <PointPicker url={item.url} fuoco={fuoco} onChange={setFuoco} />
      <CropPreviews url={item.url} fuoco={fuoco} />
      <Group justify="space-between">
        <Button variant="subtle" disabled={fuoco === null} onClick={() => setFuoco(null)}>
          {texts.middle}
        </Button>
        <Group gap="xs">
          <Button variant="default" onClick={onDone}>
            {texts.cancel}
          </Button>
          <BusyButton working={save.isPending} onClick={() => save.mutate(fuoco)}>
            {texts.save}
          </BusyButton>
        </Group>
      </Group>
    </Stack>
  );
}

function useSaveFocus(slot: ImageSlot, { id }: MediaItem, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (fuoco: Fuoco | null) => api.media.focus({ slot, id, fuoco }),
    onSuccess: (saved) => {
      applyFiles(queryClient, slot, saved);
      toastSuccess(texts.saved);
      onDone();
    },
    onError: (error) => toastError(messageOf(error, texts.failed)),
  });
}

/** Width and height of the previewed screens, in CSS pixels. */
const SCREENS = {
  upright: [390, 844],
  lying: [844, 390],
  computer: [1_440, 900],
} as const;

type CropPreviewsProps = { url: string; fuoco: Fuoco | null };

/** Previews of the picture on three screens, cropped as in the scene. */
function CropPreviews({ url, fuoco }: CropPreviewsProps) {
  return (
    <section className={styles.previews} aria-label={texts.previews}>
      {(['upright', 'lying', 'computer'] as const).map((screen) => (
        <figure key={screen} className={styles.preview}>
          <img
            src={thumbnailOf(url)}
            alt=""
            style={{ aspectRatio: SCREENS[screen].join(' / '), objectPosition: toCssPosition(fuoco) }}
          />
          <figcaption>{texts.screens[screen]}</figcaption>
        </figure>
      ))}
    </section>
  );
}
