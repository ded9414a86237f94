import { Button, Center, Group, Loader, NativeSelect, Stack } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { MediaItem } from '../../../../../contract/admin/media-item.ts';
import { CAPTION_MODES } from '../../../../../domain/captions.ts';
import { captionsTexts as texts } from '../../../../../texts/admin/captions.ts';
import { commonTexts } from '../../../../../texts/admin/common.ts';
import { Captions } from '../../../../scenes/captions.tsx';
import { followCaptions } from '../../../../ui/captions-track.ts';
import { messageOf } from '../../../failure.ts';
import { confirmAction } from '../../confirm-action.ts';
import { ErrorState } from '../../error-state.tsx';
import { BusyButton } from '../../working-button.tsx';
import { FilmPlayer } from '../film-player.tsx';
import styles from './captions.module.css';
import { CaptionsText } from './captions-text.tsx';
import { type CaptionsDraft, useRemoveCaptions, useSaveCaptions, useStoredCaptions } from './use-captions.ts';

type CaptionsFormProps = {
  item: MediaItem;
  /** Called with true if closing would lose changes. */
  onUnsaved: (unsaved: boolean) => void;
  onClose: () => void;
};

/** The film's captions: their text, when they are shown, and their look over the film. */
export function CaptionsForm(props: CaptionsFormProps) {
  // The editor keeps its own state after a save; a new URL would refetch and lose the focus.
  const [url] = useState(props.item.captions?.url ?? null);
  const { data, error, refetch } = useStoredCaptions(url);
  if (error !== null)
    return <ErrorState error={error} fallback={texts.loadFailed} onRetry={() => void refetch()} />;
  if (data === undefined) {
    return (
      <Center p="xl">
        <Loader aria-label={commonTexts.loading} />
      </Center>
    );
  }
  return <Editor {...props} before={{ text: data, mode: props.item.captions?.mode ?? 'device' }} />;
}

const CHOICES = CAPTION_MODES.map((value) => ({ value, label: texts.modes[value] }));

function Editor({ item, onUnsaved, onClose, before }: CaptionsFormProps & { before: CaptionsDraft }) {
  const video = useRef<HTMLVideoElement>(null);
  const [stored, setStored] = useState(before);
  const [{ text, mode }, setWritten] = useState(before);
  const setBoth = (written: CaptionsDraft) => {
    setStored(written);
    setWritten(written);
  };
  const save = useSaveCaptions(item, setBoth);
  const unsaved = text !== stored.text || mode !== stored.mode;
  useEffect(() => onUnsaved(unsaved), [onUnsaved, unsaved]);
  return (
    <Stack>
      <CaptionedFilm item={item} video={video} />
      <CaptionsText
        text={text}
        error={save.error === null ? null : messageOf(save.error, texts.failed)}
        video={video}
        onChange={(changed) => {
          save.reset();
          setWritten({ text: changed, mode });
        }}
      />
      <NativeSelect
        label={texts.shown}
        description={texts.modesHint}
        data={CHOICES}
        value={mode}
        onChange={({ currentTarget: { value } }) => {
          const chosen = CAPTION_MODES.find((one) => one === value);
          if (chosen !== undefined) setWritten({ text, mode: chosen });
        }}
      />
      <Group justify="space-between">
        {item.captions !== null && (
          <StoredActions item={item} onRemoved={() => setBoth({ text: '', mode: 'device' })} />
        )}
        <Group gap="xs" ms="auto">
          <Button variant="default" onClick={onClose}>
            {texts.close}
          </Button>
          <BusyButton working={save.isPending} onClick={() => save.mutate({ text, mode })}>
            {texts.save}
          </BusyButton>
        </Group>
      </Group>
    </Stack>
  );
}

/** Actions for stored captions. */
function StoredActions({ item, onRemoved }: { item: MediaItem; onRemoved: () => void }) {
  const remove = useRemoveCaptions(item, onRemoved);
  const ask = () =>
    confirmAction({
      question: texts.removeQuestion,
      detail: item.nome,
      confirmLabel: texts.remove,
      onConfirm: () => remove.mutate(),
    });
  return (
    <Group gap="xs">
      <Button
        component="a"
        href={item.captions?.url}
        download={texts.downloadName}
        variant="subtle"
        leftSection={<IconDownload size={16} aria-hidden />}
      >
        {texts.download}
      </Button>
      <Button
        variant="subtle"
        color="red"
        aria-label={texts.removeOf(item.nome)}
        leftSection={<IconTrash size={16} aria-hidden />}
        loading={remove.isPending}
        onClick={ask}
      >
        {texts.remove}
      </Button>
    </Group>
  );
}

type CaptionedFilmProps = { item: MediaItem; video: RefObject<HTMLVideoElement | null> };

/** The film with captions as the visitor sees them, for every mode. */
function CaptionedFilm({ item, video }: CaptionedFilmProps) {
  const [caption, setCaption] = useState('');
  const address = item.captions?.url ?? null;
  useEffect(() => {
    if (video.current === null || address === null) return;
    return followCaptions(video.current, { url: address, always: true }, setCaption);
  }, [address, video]);
  return (
    <div className={styles.film} data-palette="night">
      <FilmPlayer item={item} video={video} label={texts.player(item.nome)} />
      <div className={styles.said}>
        <Captions text={caption} />
      </div>
    </div>
  );
}
