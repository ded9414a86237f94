import { Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconVolume, IconX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { MediaItem } from '../../../../../contract/admin/media-item.ts';
import type { Remaking } from '../../../../../contract/admin/media-work.ts';
import { LOUDNESS_WARNINGS } from '../../../../../domain/loudness.ts';
import type { LevelledSlot } from '../../../../../domain/media-slots.ts';
import { levelTexts as texts } from '../../../../../texts/admin/loudness.ts';
import { toastError, toastSuccess } from '../../../../ui/toaster/toast.ts';
import { api, queries } from '../../../api.ts';
import { messageOf } from '../../../failure.ts';
import { WorkingButton } from '../../working-button.tsx';
import { RemakingBar, RemakingStopped, useWhenOver, whileWorking } from '../remaking.tsx';
import { readAgain, takeOver } from '../saved.ts';

type LevelVolumeProps = { slot: LevelledSlot; item: MediaItem };

/** The way out of a sound that is far too quiet or too loud, and back again. Nothing where there is nothing to do. */
export function LevelVolume({ slot, item }: LevelVolumeProps) {
  const { nome, levelled, warnings } = item;
  const isAmiss = LOUDNESS_WARNINGS.some((each) => warnings.includes(each));
  const { levelling, begin, stop, restore } = useLevel(slot, item, isAmiss || levelled);
  const isWorking = levelling.state === 'working';
  if (!isAmiss && !levelled && !isWorking) return null;
  // A levelled song follows when another film is chosen; a levelled film is as loud as it can be.
  const isToLevel = isAmiss && !(levelled && slot === 'video');
  return (
    <Stack gap="xs" align="flex-start">
      <div role="status">
        {isWorking && <Text size="sm">{texts.workingOf(nome)}</Text>}
        {levelled && !isWorking && (
          <Text size="sm" c="dimmed">
            {texts.levelled}
          </Text>
        )}
      </div>
      {levelling.state === 'stopped' && <RemakingStopped codice={levelling.codice} failed={texts.failed} />}
      {levelling.state === 'working' && (
        <RemakingBar label={texts.workingOf(nome)} share={levelling.progress} />
      )}
      {isWorking || isToLevel ? (
        <WorkingButton
          variant={isWorking ? 'default' : 'light'}
          size="sm"
          leftSection={isWorking ? <IconX size={18} aria-hidden /> : <IconVolume size={18} aria-hidden />}
          aria-label={isWorking ? texts.cancelOf(nome) : texts.levelOf(nome)}
          working={begin.isPending || stop.isPending}
          onClick={() => (isWorking ? stop : begin).mutate()}
        >
          {isWorking ? texts.cancel : texts.level}
        </WorkingButton>
      ) : null}
      {levelled && !isWorking && (
        <WorkingButton
          variant="subtle"
          size="sm"
          px={0}
          leftSection={<IconArrowBackUp size={18} aria-hidden />}
          aria-label={texts.originalOf(nome)}
          working={restore.isPending}
          onClick={() => restore.mutate()}
        >
          {texts.original}
        </WorkingButton>
      )}
    </Stack>
  );
}

/** How far the levelling of a file is, and what can be done about it. */
function useLevel(slot: LevelledSlot, { id }: MediaItem, enabled: boolean) {
  const queryClient = useQueryClient();
  const input = { slot, id };
  const { queryKey } = queries.media.levelling.queryOptions({ input });
  const { data } = useQuery(
    queries.media.levelling.queryOptions({
      input,
      enabled,
      refetchInterval: whileWorking,
    }),
  );
  const heard = (levelling: Remaking) => queryClient.setQueryData(queryKey, levelling);
  useWhenOver(data?.state, () => readAgain(queryClient, slot));
  const begin = useMutation({
    mutationFn: () => api.media.level(input),
    onSuccess: heard,
    onError: (error) => toastError(messageOf(error, texts.failed)),
  });
  const stop = useMutation({
    mutationFn: () => api.media.stopLevel(input),
    onSuccess: heard,
    onError: (error) => toastError(messageOf(error, texts.stopFailed)),
  });
  const restore = useMutation({
    mutationFn: () => api.media.original(input),
    onSuccess: (saved) => {
      takeOver(queryClient, slot, saved);
      toastSuccess(texts.restored);
    },
    onError: (error) => toastError(messageOf(error, texts.restoreFailed)),
  });
  return { levelling: data ?? ({ state: 'idle' } as const), begin, stop, restore };
}
