import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { SlotName } from '../../../../../domain/media-slots.ts';
import { uploadTexts } from '../../../../../texts/admin/uploads.ts';
import { toastError } from '../../../../ui/toaster/toast.ts';
import { useRestoreFocus } from '../../use-focus-home.ts';
import { addCompletedUpload, useDismiss, useProcessingInSlot } from '../arrivals/arrived.ts';
import { ProcessingPanel } from '../arrivals/arrived-panel.tsx';
import { RefusedFile } from '../refused-file.tsx';
import type { UploadTarget } from '../uploads/job.ts';
import type { UnfinishedUpload } from '../uploads/remembered.ts';
import { useUpload } from '../uploads/store.ts';
import { isRefused } from '../uploads/upload.ts';
import { UploadPanel } from '../uploads/upload-panel.tsx';
import { dismissUpload, startUpload } from '../uploads/uploads.ts';
import { fileProblem } from './check-file.ts';
import { FilePicker } from './chooser.tsx';
import { useMaxBytes } from './max-bytes.ts';
import { useUnfinishedUploads } from './use-remembered.ts';

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
      <FilePicker slot={slot} onFile={choose} />
      {refused !== null && <RefusedFile {...refused} />}
    </>
  );
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
