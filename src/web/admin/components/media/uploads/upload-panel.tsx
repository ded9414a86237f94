import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useRef } from 'react';
import { commonTexts } from '../../../../../texts/admin/forms.ts';
import { uploadTexts as texts } from '../../../../../texts/admin/uploads.ts';
import { IconCloudOff } from '../../../../ui/icons/icons.tsx';
import { toastError } from '../../../../ui/toaster/toast.ts';
import { confirmAction } from '../../confirm-action.ts';
import { RefusedFile } from '../refused-file.tsx';
import { ShareBar } from '../share-bar.tsx';
import type { Upload, UploadState } from './upload.ts';
import { cancelUpload, dismissUpload, reattachFile, retryUpload } from './uploads.ts';

/** Share sent from which cancelling asks for confirmation. */
const ASK_FROM = 0.1;

/** One upload: progress, speed, remaining time and actions. */
export function UploadPanel({ upload }: { upload: Upload }) {
  const { key, nome, state } = upload;
  if (state.phase === 'refused')
    return (
      <RefusedFile nome={nome} messaggio={state.messaggio}>
        <Button variant="default" onClick={() => dismissUpload(key)}>
          {texts.dismiss}
        </Button>
      </RefusedFile>
    );
  return (
    <Paper withBorder p="md" component="section" aria-label={texts.progressLabel(nome)}>
      <Stack gap="sm">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {nome}
        </Text>
        <Bar upload={upload} />
        <UploadStatus upload={upload} />
        <Buttons upload={upload} />
      </Stack>
    </Paper>
  );
}

function Bar({ upload: { nome, sent, size, state } }: { upload: Upload }) {
  const going = state.phase === 'sending';
  return (
    <ShareBar
      label={texts.progressLabel(nome)}
      share={sent / size}
      color={going ? 'wine' : 'gray'}
      going={going}
    />
  );
}

/** Screen readers only announce changes of state, not of progress. */
function UploadStatus({ upload: { sent, size, state } }: { upload: Upload }) {
  return (
    <Stack gap={4}>
      <Text size="sm">
        {texts.share(sent / size)} · {texts.sent(sent, size)}
        {state.phase === 'sending' && state.bytesPerSecond !== null && (
          <> · {texts.speed(state.bytesPerSecond)}</>
        )}
        {state.phase === 'sending' && state.secondsLeft !== null && (
          <> · {texts.timeLeft(state.secondsLeft)}</>
        )}
      </Text>
      <Group gap="xs" role="status" c={state.phase === 'failed' ? 'var(--mantine-color-error)' : 'inherit'}>
        {state.phase === 'waiting' && <IconCloudOff size={18} aria-hidden />}
        <Text size="sm">{statusText(state)}</Text>
      </Group>
    </Stack>
  );
}

function statusText(state: UploadState): string {
  switch (state.phase) {
    case 'sending':
      return texts.keepOpen;
    case 'waiting':
      return texts.waiting;
    case 'file-lost':
      return texts.fileLost;
    default:
      return state.messaggio;
  }
}

function Buttons({ upload }: { upload: Upload }) {
  const { key, nome, size, sent, state } = upload;
  const input = useRef<HTMLInputElement>(null);
  const cancel = () => void cancelUpload(key);
  return (
    <Group>
      {state.phase === 'failed' && <Button onClick={() => retryUpload(key)}>{commonTexts.retry}</Button>}
      {state.phase === 'file-lost' && (
        <>
          <Button onClick={() => input.current?.click()}>{texts.chooseAgain}</Button>
          <input
            ref={input}
            type="file"
            hidden
            aria-label={texts.chooseAgain}
            onChange={({ currentTarget: { files } }) => {
              const file = files?.[0];
              if (file?.size === size) reattachFile(key, file);
              else toastError(texts.otherFile(nome));
            }}
          />
        </>
      )}
      <Button
        variant="default"
        onClick={() =>
          sent / size > ASK_FROM
            ? confirmAction({
                question: texts.cancelQuestion,
                detail: texts.cancelConsequence(nome, sent / size),
                confirmLabel: texts.cancelConfirm,
                onConfirm: cancel,
              })
            : cancel()
        }
      >
        {texts.cancel}
      </Button>
    </Group>
  );
}
