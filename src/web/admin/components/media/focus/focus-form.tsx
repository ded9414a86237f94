import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import type { MediaItem } from '../../../../../contract/admin/media.ts';
import type { ImageSlot } from '../../../../../domain/media.ts';
import { type Fuoco, MIDDLE, toCssPosition } from '../../../../../domain/pictures.ts';
import { focusTexts as texts } from '../../../../../texts/admin/media.ts';
import { thumbnailOf } from '../../../../scenes/sized-picture.ts';
import { IconFocus2 } from '../../../../ui/icons/icons.tsx';
import { toastError, toastSuccess } from '../../../../ui/toaster/toast.ts';
import { api } from '../../../api.ts';
import { messageOf } from '../../../failure.ts';
import { BusyButton } from '../../working-button.tsx';
import { applyFiles } from '../saved.ts';
import styles from './focus.module.css';

type FocusFormProps = { slot: ImageSlot; item: MediaItem; onDone: () => void };

/** The picture with its focus point, and previews on three screens. */
function FocusForm({ slot, item, onDone }: FocusFormProps) {
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

/** Distance that an arrow key moves the point, as a share of the picture. */
const STEP = 0.02;
const ARROWS: Record<string, Fuoco> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
};

type PointPickerProps = { url: string; fuoco: Fuoco | null; onChange: (fuoco: Fuoco) => void };

/** The whole picture: a tap sets the point, arrow keys move it. */
function PointPicker({ url, fuoco, onChange }: PointPickerProps) {
  const { x, y } = fuoco ?? MIDDLE;
  const tapped = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    onChange({ x: within((clientX - left) / width), y: within((clientY - top) / height) });
  };
  const moved = (event: KeyboardEvent) => {
    const by = ARROWS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onChange({ x: within(x + by.x), y: within(y + by.y) });
  };
  return (
    <div className={styles.picker}>
      <div
        className={styles.whole}
        role="slider"
        tabIndex={0}
        aria-label={texts.point}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(100 * x)}
        aria-valuetext={texts.place(Math.round(100 * x), Math.round(100 * y))}
        onPointerDown={tapped}
        onKeyDown={moved}
      >
        <img src={thumbnailOf(url)} alt="" draggable={false} />
        <span className={styles.point} style={{ left: `${100 * x}%`, top: `${100 * y}%` }} />
      </div>
    </div>
  );
}

const within = (share: number) => Math.round(1_000 * Math.min(1, Math.max(0, share))) / 1_000;
