import { Button, Group, Skeleton, Slider, Stack, Text } from '@mantine/core';
import { type RefObject, useEffect, useId, useState } from 'react';
import { latestSongStart } from '../../../../domain/content.ts';
import { songStartTexts as texts } from '../../../../texts/admin/song-start.ts';
import { useSavedChoice } from '../../components/forms/use-saved-choice.ts';

type SongStartProps = {
  audio: RefObject<HTMLAudioElement | null>;
  /** Moves the player to this second. */
  seek: (second: number) => void;
};

/** The start of the song, chosen while listening; a choice is saved at once. */
export function SongStart({ audio, seek }: SongStartProps) {
  const id = useId();
  const { second, duration, failed, look } = usePlayerPosition(audio);
  const { value: saved, choose } = useSavedChoice('canzone_inizio_secondi', texts);
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
