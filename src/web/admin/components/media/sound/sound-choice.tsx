import { NativeSelect, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { MediaItem } from '../../../../../contract/admin/media-item.ts';
import type { Remaking } from '../../../../../contract/admin/media-work.ts';
import { soundTexts as texts } from '../../../../../texts/admin/sounds.ts';
import { toastError, toastSuccess } from '../../../../ui/toaster/toast.ts';
import { api, queries } from '../../../api.ts';
import { messageOf } from '../../../failure.ts';
import { WorkingButton } from '../../working-button.tsx';
import { RemakingBar, RemakingStopped, useWhenOver, whileWorking } from '../remaking.tsx';
import { readAgain } from '../saved.ts';

/** Which of its sounds a film has, and the others to choose. Nothing where it came with one. */
export function SoundChoice({ item }: { item: MediaItem }) {
  return item.sounds.length > 1 ? <Choice item={item} /> : null;
}

function Choice({ item }: { item: MediaItem }) {
  const { nome, sounds, sound, levelled } = item;
  const { work, choose, stop } = useSound(item);
  const isWorking = work.state === 'working';
  const wanted = choose.isPending || isWorking ? choose.variables : undefined;
  return (
    <Stack gap="xs" align="flex-start">
      <NativeSelect
        label={texts.label}
        description={levelled ? texts.levelGoes : undefined}
        aria-label={texts.labelOf(nome)}
        w="100%"
        maw={360}
        data={sounds.map((each, place) => ({ value: String(place), label: texts.option(each, place) }))}
        value={String(wanted ?? sound ?? 0)}
        disabled={choose.isPending || isWorking}
        onChange={({ currentTarget }) => choose.mutate(Number(currentTarget.value))}
      />
      <div role="status">{isWorking && <Text size="sm">{texts.workingOf(nome)}</Text>}</div>
      {work.state === 'stopped' && <RemakingStopped codice={work.codice} failed={texts.failed} />}
      {work.state === 'working' && (
        <>
          <RemakingBar label={texts.workingOf(nome)} share={work.progress} />
          <WorkingButton
            variant="default"
            size="sm"
            leftSection={<IconX size={18} aria-hidden />}
            aria-label={texts.cancelOf(nome)}
            working={stop.isPending}
            onClick={() => stop.mutate()}
          >
            {texts.cancel}
          </WorkingButton>
        </>
      )}
    </Stack>
  );
}

/** How far a film's change of sound is, and what can be done about it. */
function useSound({ id, sound }: MediaItem) {
  const queryClient = useQueryClient();
  const input = { id };
  const { queryKey } = queries.sounds.working.queryOptions({ input });
  const { data } = useQuery(queries.sounds.working.queryOptions({ input, refetchInterval: whileWorking }));
  const heard = (remaking: Remaking) => queryClient.setQueryData(queryKey, remaking);
  useWhenOver(data?.state, () => readAgain(queryClient, 'video'));
  useToldChange(sound);
  const choose = useMutation({
    mutationFn: (place: number) => api.sounds.choose({ id, sound: place }),
    onSuccess: heard,
    onError: (error) => toastError(messageOf(error, texts.failed)),
  });
  const stop = useMutation({
    mutationFn: () => api.sounds.stop(input),
    onSuccess: heard,
    onError: (error) => toastError(messageOf(error, texts.stopFailed)),
  });
  return { work: data ?? ({ state: 'idle' } as const), choose, stop };
}

/** The list has the film with its new sound: told once. */
function useToldChange(sound: number | null): void {
  const before = useRef(sound);
  useEffect(() => {
    if (before.current !== sound) toastSuccess(texts.changed);
    before.current = sound;
  }, [sound]);
}
