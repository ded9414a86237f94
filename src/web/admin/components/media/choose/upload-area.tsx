import { Stack } from '@mantine/core';
import { useRef, useState } from 'react';
import { MEDIA_SLOTS, type SlotName } from '../../../../../domain/media-slots.ts';
import { toastError } from '../../../../ui/toaster/toast.ts';
import { useUpload } from '../uploads/store.ts';
import { isRefused } from '../uploads/upload.ts';
import { RefusedFile, UploadPanel } from '../uploads/upload-panel.tsx';
import { dismissUpload, startUpload } from '../uploads/uploads.ts';
import { problemOf } from './check-file.ts';
import { Chooser } from './chooser.tsx';
import { codecProblemOf } from './codec-problem.ts';
import { useMaxBytes } from './max-bytes.ts';
import { ResumeNotice } from './resume-notice.tsx';
import { useRemembered } from './use-remembered.ts';
import { useUploadJob } from './use-upload-job.ts';

/** Where a slot's files come in. A file that is chosen leaves at once; why one was not taken stays until another is chosen. */
export function UploadArea({ slot }: { slot: SlotName }) {
  const upload = useUpload(slot);
  return (
    <Stack gap="md">
      {upload !== undefined && <UploadPanel upload={upload} />}
      {(upload === undefined || isRefused(upload)) && (
        <Choosing slot={slot} onChosen={() => upload !== undefined && dismissUpload(upload.key)} />
      )}
    </Stack>
  );
}

function Choosing({ slot, onChosen }: { slot: SlotName; onChosen: () => void }) {
  const job = useUploadJob(slot);
  const { unfinished, discard } = useRemembered(slot, job);
  const { refused, looking, choose } = useCheckedFile(slot, (file) => startUpload(file, job));
  return (
    <>
      {unfinished.map((upload) => (
        <ResumeNotice key={upload.address} upload={upload} onDiscard={() => void discard(upload)} />
      ))}
      <Chooser
        slot={slot}
        looking={looking}
        onFile={(file) => {
          onChosen();
          void choose(file);
        }}
      />
      {refused !== null && <RefusedFile {...refused} />}
    </>
  );
}

type Refused = { nome: string; messaggio: string };

/** Looks at a chosen file from outside: hands it on if nothing speaks against it, else keeps what does beside its name. */
function useCheckedFile(slot: SlotName, onGood: (file: File) => void) {
  const [refused, setRefused] = useState<Refused | null>(null);
  const [looking, setLooking] = useState(false);
  const latest = useRef<File>(null);
  const maxBytes = useMaxBytes(slot);

  async function choose(file: File): Promise<void> {
    latest.current = file;
    setRefused(null);
    setLooking(true);
    const messaggio = problemOf(file, slot, maxBytes) ?? (await problemInside(file, slot));
    // Another one was chosen meanwhile.
    if (latest.current !== file) return;
    setLooking(false);
    if (messaggio === null) return onGood(file);
    setRefused({ nome: file.name, messaggio });
    toastError(messaggio);
  }
  return { refused, looking, choose };
}

async function problemInside(file: File, slot: SlotName): Promise<string | null> {
  return MEDIA_SLOTS[slot].kind === 'video' ? codecProblemOf(file) : null;
}
