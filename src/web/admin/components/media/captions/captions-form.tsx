import { Button, Center, Group, Loader, Modal, NativeSelect, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { MediaItem } from '../../../../../contract/admin/media.ts';
import { CAPTION_MODES, type CaptionMode } from '../../../../../domain/media.ts';
import { commonTexts } from '../../../../../texts/admin/forms.ts';
import { captionsTexts as texts } from '../../../../../texts/admin/media.ts';
import { Captions } from '../../../../scenes/captions.tsx';
import { followCaptions } from '../../../../ui/captions-track.ts';
import { IconBadgeCc, IconDownload, IconTrash } from '../../../../ui/icons/icons.tsx';
import { toastError, toastSuccess } from '../../../../ui/toaster/toast.ts';
import { api } from '../../../api.ts';
import { messageOf } from '../../../failure.ts';
import { confirmAction } from '../../confirm-action.ts';
import { ErrorState } from '../../error-state.tsx';
import { BusyButton } from '../../working-button.tsx';
import { FilmPlayer } from '../film-player.tsx';
import { applyFile } from '../saved.ts';
import styles from './captions.module.css';
import { CaptionsText } from './captions-text.tsx';

type CaptionsFormProps = {
  item: MediaItem;
  /** Called with true if closing would lose changes. */
  onUnsaved: (unsaved: boolean) => void;
  onClose: () => void;
};

/** The film's captions: their text, when they are shown, and their look over the film. */
function CaptionsForm(props: CaptionsFormProps) {
  // The editor keeps its own state after a save; a new URL would refetch and lose the focus.
  const [url] = useState(props.item.captions?.url ?? null);
  const { data, error, refetch } = useQuery({
    queryKey: ['captions', url],
    queryFn: () => (url === null ? '' : textAt(url)),
    // A URL's content never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
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

/** Shows which visitors see a film's captions, and opens the editor. */
export function CaptionsButton({ item }: { item: MediaItem }) {
  const [open, setOpen] = useState(false);
  const [unsaved, setUnsaved] = useState(false);
  const { nome, captions } = item;
  const close = () => {
    setOpen(false);
    setUnsaved(false);
  };
  const askToClose = () => {
    if (!unsaved) return close();
    confirmAction({
      question: texts.closeQuestion,
      detail: texts.closeDetail,
      confirmLabel: texts.closeConfirm,
      onConfirm: close,
    });
  };
  return (
    <>
      <Button
        variant="subtle"
        size="sm"
        px={0}
        aria-label={captions === null ? texts.addTo(nome) : texts.openOf(captions.mode, nome)}
        leftSection={<IconBadgeCc size={18} aria-hidden />}
        onClick={() => setOpen(true)}
        style={{ alignSelf: 'flex-start' }}
      >
        {captions === null ? texts.add : texts.open(captions.mode)}
      </Button>
      <Modal opened={open} onClose={askToClose} title={texts.title} size="lg" centered>
        <CaptionsForm item={item} onUnsaved={setUnsaved} onClose={askToClose} />
      </Modal>
    </>
  );
}

/** Text of a film's captions, and when they are shown. */
type CaptionsDraft = { text: string; mode: CaptionMode };

/** @param onSaved receives the stored text and mode */
function useSaveCaptions({ id }: MediaItem, onSaved: (written: CaptionsDraft) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ text, mode }: CaptionsDraft) => {
      const saved = await api.captions.save({ id, text, mode });
      applyFile(queryClient, 'video', saved);
      const url = saved.item.captions?.url ?? null;
      // They are saved even if reading them back fails.
      return { mode, text: url === null ? text : await textAt(url).catch(() => text) };
    },
    onSuccess: (written) => {
      toastSuccess(texts.saved);
      onSaved(written);
    },
  });
}

function useRemoveCaptions({ id }: MediaItem, onRemoved: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api.captions.remove({ id }),
    onSuccess: (saved) => {
      applyFile(queryClient, 'video', saved);
      toastSuccess(texts.removed);
      onRemoved();
    },
    onError: (error) => toastError(messageOf(error, texts.removeFailed)),
  });
}

async function textAt(url: string): Promise<string> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`captions: ${answer.status}`);
  return answer.text();
}
