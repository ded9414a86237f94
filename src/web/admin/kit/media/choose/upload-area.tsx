import { Button, Group, Stack } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import type { SlotName } from '../../../../../domain/media-slots.ts';
import { slotTexts } from '../../../../../texts/admin/media.ts';
import { useUpload } from '../uploads/store.ts';
import { isRefused } from '../uploads/upload.ts';
import { UploadPanel } from '../uploads/upload-panel.tsx';
import { startUpload } from '../uploads/uploads.ts';
import { Chooser } from './chooser.tsx';
import { ChosenFile } from './chosen-file.tsx';
import { ResumeNotice } from './resume-notice.tsx';
import { useChosenFile } from './use-chosen-file.ts';
import { useRemembered } from './use-remembered.ts';
import { useUploadJob } from './use-upload-job.ts';

type UploadAreaProps = {
  slot: SlotName;
  /** The file leaves as soon as it is chosen, without a button. */
  atOnce?: boolean;
};

/** Where a slot's files come in: choosing, and what becomes of what was chosen. */
export function UploadArea({ slot, atOnce = false }: UploadAreaProps) {
  const upload = useUpload(slot);
  return (
    <Stack gap="md">
      {upload !== undefined && <UploadPanel upload={upload} />}
      {(upload === undefined || isRefused(upload)) && <Choosing slot={slot} atOnce={atOnce} />}
    </Stack>
  );
}

function Choosing({ slot, atOnce }: Required<UploadAreaProps>) {
  const texts = slotTexts[slot];
  const job = useUploadJob(slot);
  const { unfinished, discard } = useRemembered(slot, job);
  const goesAtOnce = (file: File) => atOnce || unfinished.some(({ size }) => size === file.size);
  const { file, problem, looking, choose, complain } = useChosenFile(slot, (next) => {
    if (goesAtOnce(next)) startUpload(next, job);
  });
  return (
    <>
      {unfinished.map((upload) => (
        <ResumeNotice key={upload.address} upload={upload} onDiscard={() => void discard(upload)} />
      ))}
      <Chooser slot={slot} problem={problem} onFile={(next) => void choose(next)}>
        {file === null ? undefined : <ChosenFile file={file} />}
      </Chooser>
      {!atOnce && (
        <Group>
          <Button
            // The next step is the one that stands out: first a file, then its way.
            variant={file === null ? 'default' : 'filled'}
            leftSection={<IconUpload size={18} aria-hidden />}
            loading={looking}
            onClick={() => (file === null ? complain(texts.missing) : startUpload(file, job))}
          >
            {texts.upload}
          </Button>
        </Group>
      )}
    </>
  );
}
