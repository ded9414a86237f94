import { Button, Stack, Text } from '@mantine/core';
import { IconPhotoCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';
import type { MediaItem } from '../../../../../contract/admin/media.ts';
import { posterTexts as texts } from '../../../../../texts/admin/video.ts';
import { toastSuccess } from '../../../../ui/toaster/toast.ts';
import { useBeingMade } from './being-made.ts';
import { drawFrame } from './draw-frame.ts';
import { savePoster } from './give-poster.ts';
import styles from './poster-button.module.css';

type PosterButtonProps = { item: MediaItem; video: RefObject<HTMLVideoElement | null> };

/** Makes the frame that the player shows the poster. What can't be drawn is no error: it says what to do instead. */
export function PosterButton({ item, video }: PosterButtonProps) {
  const queryClient = useQueryClient();
  const [working, setWorking] = useState(false);
  const [failed, setFailed] = useState(false);
  const onItsWay = useBeingMade(item.id);

  async function take(): Promise<void> {
    setWorking(true);
    try {
      const picture = video.current && (await drawFrame(video.current));
      if (picture !== null) await savePoster(queryClient, item, picture);
      setFailed(picture === null);
      if (picture !== null) toastSuccess(texts.saved);
    } catch (error) {
      console.info('No poster could be made', error);
      setFailed(true);
    }
    setWorking(false);
  }
  const lacks = item.poster_url === null && !onItsWay;
  const hint = failed ? texts.failed : lacks ? texts.missing : null;
  return (
    <Stack gap={4} align="flex-start">
      <Button
        variant="subtle"
        size="sm"
        px={0}
        h="auto"
        classNames={{ label: styles.words ?? '' }}
        leftSection={<IconPhotoCheck size={18} aria-hidden />}
        loading={working}
        onClick={() => void take()}
      >
        {texts.takeFrame}
      </Button>
      {hint !== null && (
        <Text size="sm" c="dimmed" role="status">
          {hint}
        </Text>
      )}
    </Stack>
  );
}
