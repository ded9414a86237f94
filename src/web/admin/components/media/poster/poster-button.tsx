import { Stack, Text } from '@mantine/core';
import { IconPhotoCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RefObject } from 'react';
import type { MediaItem } from '../../../../../contract/admin/media-item.ts';
import { posterTexts as texts } from '../../../../../texts/admin/video.ts';
import { toastError, toastSuccess } from '../../../../ui/toaster/toast.ts';
import { api } from '../../../api.ts';
import { messageOf } from '../../../failure.ts';
import { BusyButton } from '../../working-button.tsx';
import { applyFile } from '../saved.ts';
import styles from './poster-button.module.css';

type PosterButtonProps = { item: MediaItem; video: RefObject<HTMLVideoElement | null> };

/** Makes the player's current frame the poster. */
export function PosterButton({ item, video }: PosterButtonProps) {
  const { mutate, isPending } = useTakePoster(item);
  return (
    <Stack gap={4} align="flex-start">
      <BusyButton
        variant="subtle"
        size="sm"
        px={0}
        h="auto"
        classNames={{ label: styles.words ?? '' }}
        leftSection={<IconPhotoCheck size={18} aria-hidden />}
        working={isPending}
        onClick={() => mutate(video.current?.currentTime ?? 0)}
      >
        {texts.takeFrame}
      </BusyButton>
      {item.poster_url === null && (
        <Text size="sm" c="dimmed">
          {texts.missing}
        </Text>
      )}
    </Stack>
  );
}

function useTakePoster({ id }: MediaItem) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (second: number) => api.media.poster({ id, second }),
    onSuccess: (updated) => {
      applyFile(queryClient, 'video', updated);
      toastSuccess(texts.saved);
    },
    onError: (error) => toastError(messageOf(error, texts.failed)),
  });
}
