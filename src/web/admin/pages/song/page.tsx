import {
  ActionIcon,
  Alert,
  Badge,
  Button,
  Group,
  List,
  Paper,
  Skeleton,
  Slider,
  Stack,
  Text,
  Title,
  Tooltip,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import type { MediaItem } from '../../../../contract/admin/media.ts';
import { latestSongStart } from '../../../../domain/content.ts';
import { dayOf, humanSize } from '../../../../texts/admin/formats.ts';
import { savedTexts, songPageTexts as texts } from '../../../../texts/admin/media.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { slotTexts, songStartTexts } from '../../../../texts/admin/slots.ts';
import { IconInfoCircle, IconPlayerPause, IconPlayerPlay, IconTrash } from '../../../ui/icons/icons.tsx';
import { toastError } from '../../../ui/toaster/toast.ts';
import { queries } from '../../api.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { useSavedChoice } from '../../components/forms/use-saved-choice.ts';
import { Loaded } from '../../components/loaded.tsx';
import { UploadArea } from '../../components/media/choose/upload-area.tsx';
import { useAskToRemove, Warnings } from '../../components/media/list/saved-card.tsx';
import { PageFrame } from '../../components/page-frame.tsx';

/** `/admin/musica`: the song, if any (spec 2 «Song page»). */
export function Page() {
  return (
    <PageFrame title={adminPageTexts['/admin/musica'].title} description={texts.description}>
      <Stack gap="lg" maw="46rem">
        <UploadArea slot="canzone" />
        <Song />
        <Alert color="wine" icon={<IconInfoCircle aria-hidden />} title={texts.noteTitle}>
          <List>
            {texts.note.map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
        </Alert>
      </Stack>
    </PageFrame>
  );
}

function Song() {
  const { loadFailed, listTitle, empty, emptyHint } = slotTexts.canzone;
  const id = useId();
  const songs = useQuery(queries.media.list.queryOptions({ input: { slot: 'canzone' } }));
  return (
    <Stack component="section" aria-labelledby={id} gap="sm">
      <Title order={2} size="h3" id={id}>
        {listTitle}
      </Title>
      <Loaded query={songs} loadFailed={loadFailed} shape="cards" count={1}>
        {([song]) =>
          song === undefined ? (
            <EmptyState drawing="song" title={empty} hint={emptyHint} />
          ) : (
            <SongCard key={song.id} song={song} />
          )
        }
      </Loaded>
    </Stack>
  );
}

/** The uploaded song, with a player and a delete button. */
function SongCard({ song }: { song: MediaItem }) {
  const { state, audio, toggle, hear } = usePlayer();
  const remove = useAskToRemove('canzone');
  const playing = state === 'playing';
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group wrap="nowrap" align="flex-start">
          <Tooltip label={playing ? texts.pause : texts.play}>
            <ActionIcon
              size={52}
              radius="xl"
              variant="filled"
              aria-label={playing ? texts.pause : texts.play}
              onClick={toggle}
            >
              {playing ? <IconPlayerPause aria-hidden /> : <IconPlayerPlay aria-hidden />}
            </ActionIcon>
          </Tooltip>
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

type SongStartProps = {
  audio: RefObject<HTMLAudioElement | null>;
  /** Moves the player to this second. */
  seek: (second: number) => void;
};

/** The start of the song, chosen while listening; a choice is saved at once. */
function SongStart({ audio, seek }: SongStartProps) {
  const id = useId();
  const { second, duration, failed, look } = usePlayerPosition(audio);
  const { value: saved, choose } = useSavedChoice('canzone_inizio_secondi', songStartTexts);
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
          {songStartTexts.title}
        </Text>
        <Slider
          thumbLabel={songStartTexts.place}
          thumbValueText={songStartTexts.placeAt(second, duration)}
          min={0}
          max={Math.max(1, duration)}
          step={1}
          value={second}
          label={null}
          onChange={goTo}
        />
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed">
            {songStartTexts.placeAt(second, duration)}
          </Text>
          <Text size="sm" role="status">
            {start === 0 ? songStartTexts.startsAtBeginning : songStartTexts.startsAt(start)}
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
        {songStartTexts.here(second)}
      </Button>
      <Button {...step} aria-label={songStartTexts.earlierLabel} onClick={() => onStart(start - 1)}>
        {songStartTexts.earlier}
      </Button>
      <Button {...step} aria-label={songStartTexts.laterLabel} onClick={() => onStart(start + 1)}>
        {songStartTexts.later}
      </Button>
      <Button variant="subtle" size="sm" onClick={() => onStart(0)}>
        {songStartTexts.beginning}
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
