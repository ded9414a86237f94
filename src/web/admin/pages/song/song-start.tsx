import { Button, Group, Slider, Stack, Text } from '@mantine/core';
import { type RefObject, useEffect, useId, useState } from 'react';
import { latestSongStart } from '../../../../domain/content.ts';
import { songStartTexts as texts } from '../../../../texts/admin/song-start.ts';
import { useSongStart } from './use-song-start.ts';

type SongStartProps = {
  audio: RefObject<HTMLAudioElement | null>;
  /** Puts the player at this second. */
  hear: (second: number) => void;
};

/** From where the song plays, chosen while it is heard; a choice is saved at once. */
export function SongStart({ audio, hear }: SongStartProps) {
  const id = useId();
  const { second, duration } = usePlace(audio);
  const { start, choose } = useSongStart();
  if (start === undefined || duration === 0) return null;
  const startAt = (seconds: number) => {
    const wanted = Math.min(latestSongStart(duration), Math.max(0, seconds));
    choose(wanted);
    hear(wanted);
  };
  return (
    <Stack gap="xs" role="group" aria-labelledby={id}>
      <Text fw={600} size="sm" id={id}>
        {texts.title}
      </Text>
      <Slider
        thumbLabel={texts.place}
        thumbProps={{ 'aria-valuetext': texts.placeAt(second, duration) }}
        min={0}
        max={duration}
        step={1}
        value={second}
        label={null}
        onChange={hear}
      />
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          {texts.placeAt(second, duration)}
        </Text>
        <Text size="sm" role="status">
          {start === 0 ? texts.startsAtBeginning : texts.startsAt(start)}
        </Text>
      </Group>
      <Group gap="xs">
        <Button variant="light" size="sm" onClick={() => startAt(Math.round(second * 10) / 10)}>
          {texts.here(second)}
        </Button>
        <Button
          variant="default"
          size="sm"
          aria-label={texts.earlierLabel}
          onClick={() => startAt(start - 1)}
        >
          {texts.earlier}
        </Button>
        <Button variant="default" size="sm" aria-label={texts.laterLabel} onClick={() => startAt(start + 1)}>
          {texts.later}
        </Button>
        <Button variant="subtle" size="sm" onClick={() => startAt(0)}>
          {texts.beginning}
        </Button>
      </Group>
    </Stack>
  );
}

/** Where a player is, and how long its song is, in seconds; 0 until that is known. */
function usePlace(audio: RefObject<HTMLAudioElement | null>) {
  const [place, setPlace] = useState({ second: 0, duration: 0 });
  useEffect(() => {
    const element = audio.current;
    if (element === null) return;
    const told = new AbortController();
    const tell = () => {
      const { currentTime, duration } = element;
      setPlace({ second: currentTime, duration: Number.isFinite(duration) ? duration : 0 });
    };
    for (const event of ['loadedmetadata', 'durationchange', 'timeupdate', 'seeked'])
      element.addEventListener(event, tell, { signal: told.signal });
    tell();
    return () => told.abort();
  }, [audio]);
  return place;
}
