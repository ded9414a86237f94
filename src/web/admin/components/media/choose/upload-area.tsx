import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { MEDIA_SLOTS, type SlotName } from '../../../../../domain/media.ts';
import { slotTexts } from '../../../../../texts/admin/slots.ts';
import { uploadTexts } from '../../../../../texts/admin/uploads.ts';
import { IconHistory, IconUpload } from '../../../../ui/icons/icons.tsx';
import { toastError } from '../../../../ui/toaster/toast.ts';
import { useSignedIn } from '../../../use-signed-in.ts';
import { useRestoreFocus } from '../../use-focus-home.ts';
import { addCompletedUpload, useDismiss, useProcessingInSlot } from '../arrivals/arrived.ts';
import { ProcessingPanel } from '../arrivals/arrived-panel.tsx';
import { RefusedFile } from '../refused-file.tsx';
import type { UploadTarget } from '../uploads/job.ts';
import { discardUpload, listUnfinished, type UnfinishedUpload } from '../uploads/remembered.ts';
import { useUpload } from '../uploads/store.ts';
import { isRefused } from '../uploads/upload.ts';
import { UploadPanel } from '../uploads/upload-panel.tsx';
import { dismissUpload, startUpload } from '../uploads/uploads.ts';
import { ACCEPTED, fileProblem } from './check-file.ts';
import styles from './upload-area.module.css';

/**
 * Uploads of a slot: those sent from this page, those the server processes (from any device), and a picker. A chosen file is sent
 * at once. A refusal stays until it is dismissed or another file is chosen.
 */
export function UploadArea({ slot }: { slot: SlotName }) {
  const upload = useUpload(slot);
  // This page's running upload has a separate panel.
  const arrived = useProcessingInSlot(slot).filter((one) => one.upload !== upload?.upload);
  const dismiss = useDismiss();
  const [removedCount, setRemovedCount] = useState(0);
  const area = useRestoreFocus<HTMLDivElement>(-removedCount);
  function onChosen(): void {
    if (upload !== undefined) dismissUpload(upload.key);
    for (const one of arrived) if (one.state === 'refused') dismiss.mutate(one);
  }
  return (
    <Stack gap="md" ref={area} tabIndex={-1}>
      {arrived.map((one) => (
        <ProcessingPanel
          key={one.upload}
          arrived={one}
          onRemoved={() => setRemovedCount((before) => before + 1)}
        />
      ))}
      {upload !== undefined && <UploadPanel upload={upload} />}
      {(upload === undefined || isRefused(upload)) && <Choosing slot={slot} onChosen={onChosen} />}
    </Stack>
  );
}

type Refused = { nome: string; messaggio: string };

/** Sends the chosen file, or shows its name with the reason if a check of its name, type or size fails. */
function Choosing({ slot, onChosen }: { slot: SlotName; onChosen: () => void }) {
  const job = useUploadJob(slot);
  const { unfinished, discard } = useUnfinishedUploads(slot);
  const [refused, setRefused] = useState<Refused | null>(null);
  const maxBytes = useMaxBytes(slot);

  function choose(file: File): void {
    onChosen();
    const messaggio = fileProblem(file, slot, maxBytes);
    setRefused(messaggio === null ? null : { nome: file.name, messaggio });
    if (messaggio === null) startUpload(file, job);
    else toastError(messaggio);
  }
  return (
    <>
      {unfinished.map((upload) => (
        <ResumeNotice key={upload.address} upload={upload} onDiscard={() => void discard(upload)} />
      ))}
      <FilePicker slot={slot} maxBytes={maxBytes} onFile={choose} />
      {refused !== null && <RefusedFile {...refused} />}
    </>
  );
}

type FilePickerProps = { slot: SlotName; maxBytes: number; onFile: (file: File) => void };

/** A drop zone with a button to choose a file. Of several dropped files it takes the first. */
function FilePicker({ slot, maxBytes, onFile }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const { kind } = MEDIA_SLOTS[slot];
  const texts = slotTexts[slot];
  // A file that is dropped elsewhere would replace the page.
  useWindowEvent('dragover', keepPage);
  useWindowEvent('drop', keepPage);
  const take = (file: File | undefined) => (file === undefined ? toastError(texts.missing) : onFile(file));
  return (
    <div
      // The button inside is for the keyboard and screen readers. Its click arrives here.
      role="presentation"
      className={styles.zone}
      data-over={isOver || undefined}
      onClick={() => input.current?.click()}
      onDragEnter={({ dataTransfer }) => setIsOver(dataTransfer.types.includes('Files'))}
      onDragLeave={({ currentTarget, relatedTarget }) =>
        setIsOver(
          (before) => before && relatedTarget instanceof Node && currentTarget.contains(relatedTarget),
        )
      }
      onDrop={({ dataTransfer }) => {
        setIsOver(false);
        const isFolder = dataTransfer.items[0]?.webkitGetAsEntry()?.isDirectory === true;
        take(isFolder ? undefined : dataTransfer.files[0]);
      }}
    >
      <input
        ref={input}
        type="file"
        hidden
        aria-label={uploadTexts.field(texts.title)}
        accept={ACCEPTED[kind].join(',')}
        onClick={(event) => event.stopPropagation()}
        onChange={({ currentTarget }) => {
          take(currentTarget.files?.[0]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      <Stack align="center" gap="sm">
        <IconUpload size={32} stroke={1.5} aria-hidden className={styles.drop} />
        <Text fw={550} ta="center" className={styles.drop}>
          {texts.drop}
        </Text>
        <Button size="md">{texts.choose}</Button>
        <Text size="sm" ta="center">
          {uploadTexts.startsAtOnce(kind)}
        </Text>
        <Text size="sm" c="dimmed" ta="center">
          {texts.hint(maxBytes)}
        </Text>
      </Stack>
    </div>
  );
}

function keepPage(event: DragEvent): void {
  if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
}

type ResumeNoticeProps = { upload: UnfinishedUpload; onDiscard: () => void };

/** An upload that an earlier page load left unfinished, with a button to discard it. */
function ResumeNotice({ upload: { nome, sent, size }, onDiscard }: ResumeNoticeProps) {
  return (
    <Alert color="wine" icon={<IconHistory aria-hidden />}>
      <Stack gap="xs">
        <Text>
          {uploadTexts.resume(nome)} {uploadTexts.resumeProgress(sent / size)}
        </Text>
        <Group>
          <Button variant="default" onClick={onDiscard}>
            {uploadTexts.discard}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

/** Target of a slot's uploads. It is independent of the page, because the administrator may leave it before the end. */
function useUploadJob(slot: SlotName): UploadTarget {
  const queryClient = useQueryClient();
  return useMemo(
    () => ({ slot, onArrived: (completed) => addCompletedUpload(queryClient, completed) }),
    [slot, queryClient],
  );
}

/** Returns the maximum file size of a slot in bytes. The installation sets the video's. */
function useMaxBytes(slot: SlotName): number {
  const { data } = useSignedIn();
  const { kind, maxBytes } = MEDIA_SLOTS[slot];
  return kind === 'video' ? (data?.max_video_bytes ?? maxBytes) : maxBytes;
}

const NONE: readonly UnfinishedUpload[] = [];

/** Returns a slot's uploads that an earlier page load left unfinished. */
function useUnfinishedUploads(slot: SlotName) {
  const queryClient = useQueryClient();
  const idle = useUpload(slot) === undefined;
  const queryKey = ['uploads', slot];
  const { data, isFetching } = useQuery({
    queryKey,
    queryFn: () => listUnfinished(slot),
    enabled: idle,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return {
    // Hides data that was read before the last upload.
    unfinished: idle && !isFetching ? (data ?? NONE) : NONE,
    discard: async ({ address }: UnfinishedUpload) => {
      await discardUpload(address);
      await queryClient.invalidateQueries({ queryKey });
    },
  };
}
