import { Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RefObject } from 'react';
import type { LightFilm, MediaItem } from '../../../../contract/admin/media.ts';
import { startsAfter } from '../../../../domain/media.ts';
import { lightTexts, posterTexts } from '../../../../texts/admin/media.ts';
import { IconPhotoCheck } from '../../../ui/icons/icons.tsx';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { api } from '../../api.ts';
import { messageOf } from '../../failure.ts';
import { BusyButton } from '../working-button.tsx';
import styles from './film-options.module.css';
import { applyFile, refetchFiles } from './saved.ts';

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
        {posterTexts.takeFrame}
      </BusyButton>
      {item.poster_url === null && (
        <Text size="sm" c="dimmed">
          {posterTexts.missing}
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
      toastSuccess(posterTexts.saved);
    },
    onError: (error) => toastError(messageOf(error, posterTexts.failed)),
  });
}

/** Start times of a film and its light version on a slow connection, the version's state, and a switch for it. */
export function LightVersion({ item }: { item: MediaItem }) {
  return item.light === null ? null : <LightControls item={item} light={item.light} />;
}

/** States without a light version, now and later; the switch is hidden. */
const NONE_TO_COME = new Set<LightFilm['state']>(['needless', 'refused']);

function LightControls({ item, light }: { item: MediaItem; light: LightFilm }) {
  const { nome, size } = item;
  const { on, change } = useLightSwitch(item, light);
  const state = on ? lightTexts.states[light.state] : lightTexts.off;
  return (
    <Stack gap="xs">
      {light.seconds !== null && <Figures film={size} light={light.size} seconds={light.seconds} />}
      {on && NONE_TO_COME.has(light.state) ? (
        <Text size="sm" c="dimmed">
          {light.state === 'needless' ? state : `${lightTexts.title}: ${state}`}
        </Text>
      ) : (
        <Switch
          label={lightTexts.title}
          aria-label={lightTexts.titleOf(nome)}
          description={state}
          size="md"
          checked={on}
          onChange={(event) => change(event.currentTarget.checked)}
        />
      )}
    </Stack>
  );
}

type FiguresProps = { film: number; light: number | null; seconds: number };

/** Both sizes, and how long each film takes to start. */
function Figures({ film, light, seconds }: FiguresProps) {
  return (
    <div>
      <Text size="sm">{lightTexts.whole(film, startsAfter({ bytes: film, seconds }))}</Text>
      {light !== null && (
        <Text size="sm">{lightTexts.light(light, startsAfter({ bytes: light, seconds }))}</Text>
      )}
    </div>
  );
}

/** Returns whether the light version is on, as saved or as being saved. */
function useLightSwitch({ id }: MediaItem, light: LightFilm) {
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    // Requests run one after another, so that the last choice stays.
    scope: { id: `light ${id}` },
    mutationFn: (on: boolean) => api.light.want({ id, on }),
    onSuccess: (saved) => applyFile(queryClient, 'video', saved),
    onError: (error) => {
      refetchFiles(queryClient, 'video');
      toastError(messageOf(error, lightTexts.changeFailed));
    },
  });
  return { on: isPending ? variables : light.on, change: mutate };
}
