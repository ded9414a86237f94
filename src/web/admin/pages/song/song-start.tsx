import { Button, Group, Skeleton, Slider, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useId, useState } from 'react';
import { latestSongStart } from '../../../../domain/content.ts';
import { songStartTexts as texts } from '../../../../texts/admin/song-start.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { saveLastWriteWins } from '../../components/forms/save-over.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { messageOf } from '../../failure.ts';

type SongStartProps = {
  audio: RefObject<HTMLAudioElement | null>;
  /** Moves the player to this second. */
  seek: (second: number) => void;
};

/** The start of the song, chosen while listening; a choice is saved at once. */
export function SongStart({ audio, seek }: SongStartProps) {
  const id = useId();
  const { second, duration, failed, look } = usePlayerPosition(audio);
  const { start: saved, choose } = useSongStart();
  const start = saved ?? 0;
  const isLoading = saved === undefined || duration === 0;
  if (failed) return null;
  // Updates at once: the player's events come later, and a key pressed before would continue from the old position.
  const goTo = (seconds: number) => {
    seek(seconds);
    look();
  };
  const startAt = (seconds: number) => {
    const newStart = Math.min(latestSongStart(duration), Math.max(0, seconds));
    choose(newStart);
    goTo(newStart);
  };
  return (
    <Skeleton visible={isLoading} inert={isLoading}>
      <Stack gap="xs" role="group" aria-labelledby={id}>
        <Text fw={600} size="sm" id={id}>
          {texts.title}
        </Text>
        <Slider
          thumbLabel={texts.place}
          thumbValueText={texts.placeAt(second, duration)}
          min={0}
          max={Math.max(1, duration)}
          step={1}
          value={second}
          label={null}
          onChange={goTo}
        />
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed">
            {texts.placeAt(second, duration)}
          </Text>
          <Text size="sm" role="status">
            {start === 0 ? texts.startsAtBeginning : texts.startsAt(start)}
          </Text>
        </Group>
        <Steps start={start} second={second} onStart={startAt} />
      </Stack>
    </Skeleton>
  );
}

type StepsProps = { start: number; second: number; onStart: (second: number) => void };

/** Starts the song at the player's position, a second earlier or later, or at its beginning. */
function Steps({ start, second, onStart }: StepsProps) {
  const step = { variant: 'default', size: 'sm' } as const;
  return (
    <Group gap="xs">
      <Button variant="light" size="sm" onClick={() => onStart(Math.round(second * 10) / 10)}>
        {texts.here(second)}
      </Button>
      <Button {...step} aria-label={texts.earlierLabel} onClick={() => onStart(start - 1)}>
        {texts.earlier}
      </Button>
      <Button {...step} aria-label={texts.laterLabel} onClick={() => onStart(start + 1)}>
        {texts.later}
      </Button>
      <Button variant="subtle" size="sm" onClick={() => onStart(0)}>
        {texts.beginning}
      </Button>
    </Group>
  );
}

const positionOf = ({ currentTime, duration, error }: HTMLAudioElement) => ({
  second: currentTime,
  duration: Number.isFinite(duration) ? duration : 0,
  failed: error !== null,
});

/**
 * Returns the player's position and the song's duration, in seconds. The duration is 0 while unknown, and always for an
 * unplayable file. `look` updates both now.
 */
function usePlayerPosition(audio: RefObject<HTMLAudioElement | null>) {
  const [position, setPosition] = useState({ second: 0, duration: 0, failed: false });
  const look = () => {
    if (audio.current !== null) setPosition(positionOf(audio.current));
  };
  useEffect(() => {
    const element = audio.current;
    if (element === null) return;
    const unmounted = new AbortController();
    const update = () => setPosition(positionOf(element));
    for (const event of ['loadedmetadata', 'durationchange', 'timeupdate', 'seeked', 'error'])
      element.addEventListener(event, update, { signal: unmounted.signal });
    update();
    return () => unmounted.abort();
  }, [audio]);
  return { ...position, look };
}

type Saving = { base: ConfigRecord; seconds: number };

/** Returns the start of the song in seconds, as saved or as being saved; undefined while unknown. */
function useSongStart() {
  const queryClient = useQueryClient();
  const { data } = useQuery(configSource.query);
  const { mutate, isPending, variables } = useMutation({
    // Requests run one after another, so that the last of several quick steps stays.
    scope: { id: 'canzone_inizio_secondi' },
    mutationFn: ({ base, seconds }: Saving) =>
      saveLastWriteWins(base, { canzone_inizio_secondi: seconds }, startIn),
    onSuccess: (record) => {
      queryClient.setQueryData(configSource.query.queryKey, record);
      toastSuccess(texts.saved);
    },
    onError: (failure) => toastError(messageOf(failure, texts.failed)),
  });
  return {
    start: isPending ? variables.seconds : data?.canzone_inizio_secondi,
    choose: (seconds: number) => {
      if (data !== undefined) mutate({ base: data, seconds });
    },
  };
}

const startIn = ({ canzone_inizio_secondi }: Pick<ConfigRecord, 'canzone_inizio_secondi'>) => ({
  canzone_inizio_secondi,
});
