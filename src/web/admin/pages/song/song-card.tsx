import { ActionIcon, Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { MediaItem } from '../../../../contract/admin/media-item.ts';
import { humanSize } from '../../../../texts/admin/amounts.ts';
import { savedTexts, songPageTexts as texts } from '../../../../texts/admin/media.ts';
import { dayOf } from '../../../../texts/admin/times.ts';
import { toastError } from '../../../ui/toaster/toast.ts';
import { useAskToRemove } from '../../components/media/list/ask-to-remove.ts';
import { Warnings } from '../../components/media/list/saved-card.tsx';
import { SongStart } from './song-start.tsx';

/** The uploaded song, with a player and a delete button. */
export function SongCard({ song }: { song: MediaItem }) {
  const { state, audio, toggle, hear } = usePlayer();
  const remove = useAskToRemove('canzone');
  const playing = state === 'playing';
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group wrap="nowrap" align="flex-start">
          <ActionIcon
            size={52}
            radius="xl"
            variant="filled"
            aria-label={playing ? texts.pause : texts.play}
            onClick={toggle}
          >
            {playing ? <IconPlayerPause aria-hidden /> : <IconPlayerPlay aria-hidden />}
          </ActionIcon>
          <Stack gap={4} flex={1} miw={0}>
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {song.nome}
            </Text>
            <Text size="sm" c="dimmed">
              {humanSize(song.size)} · {savedTexts.uploadedOn('canzone', dayOf(song.created_at))}
            </Text>
            <span role="status">
              <Badge variant="light" tt="none" color={playing ? 'green' : 'gray'}>
                {texts.states[state]}
              </Badge>
            </span>
          </Stack>
        </Group>
        <Warnings item={song} />
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a song */}
        <audio ref={audio} src={song.url} preload="metadata" />
        <SongStart audio={audio} seek={hear} />
        <Group>
          <Button
            variant="subtle"
            color="red"
            ml="calc(var(--button-padding-x) / -1.5)"
            leftSection={<IconTrash size={16} aria-hidden />}
            loading={remove.working}
            onClick={() => remove.ask(song)}
          >
            {savedTexts.remove}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

type PlayerState = keyof typeof texts.states;

/** Plays and pauses a song. At the end it is stopped, at its beginning (spec 4). */
function usePlayer() {
  const audio = useRef<HTMLAudioElement>(null);
  const [state, setState] = useState<PlayerState>('stopped');
  useEffect(() => {
    const element = audio.current;
    if (element === null) return;
    const unmounted = new AbortController();
    const on = (event: string, next: PlayerState) =>
      element.addEventListener(event, () => setState(next), { signal: unmounted.signal });
    on('playing', 'playing');
    on('ended', 'stopped');
    // The browser also fires `pause` at the end.
    element.addEventListener('pause', () => setState(element.ended ? 'stopped' : 'paused'), {
      signal: unmounted.signal,
    });
    return () => unmounted.abort();
  }, []);

  function toggle(): void {
    const element = audio.current;
    if (element === null) return;
    if (element.paused) element.play().catch(() => toastError(texts.playFailed));
    else element.pause();
  }
  function hear(second: number): void {
    if (audio.current !== null) audio.current.currentTime = second;
  }
  return { audio, state, toggle, hear };
}
