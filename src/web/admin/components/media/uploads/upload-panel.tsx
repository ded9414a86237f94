import { Alert, Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCloudOff } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { commonTexts } from '../../../../../texts/admin/common.ts';
import { slotTexts, uploadTexts as texts } from '../../../../../texts/admin/media.ts';
import { toastError } from '../../../../ui/toaster/toast.ts';
import { confirmAction } from '../../confirm-action.ts';
import type { Upload } from './upload.ts';
import { cancelUpload, dismissUpload, resupplyUpload, retryUpload } from './uploads.ts';

/** More than this share sent, and giving up is asked about. */
const ASK_FROM = 0.1;

/** One upload: how far it is, how fast, how long still, and what can be done about it. */
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
        <Words upload={upload} />
        <Buttons upload={upload} />
      </Stack>
    </Paper>
  );
}

type RefusedFileProps = { nome: string; messaggio: string; children?: ReactNode };

/** Why a file was not taken, beside its name. */
export function RefusedFile({ nome, messaggio, children }: RefusedFileProps) {
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={texts.refused(nome)} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text>{messaggio}</Text>
        {children}
      </Stack>
    </Alert>
  );
}

function Bar({ upload: { nome, sent, size, state } }: { upload: Upload }) {
  const checking = state.phase === 'checking';
  const share = checking ? state.progress : sent / size;
  const stopped = state.phase === 'waiting' || state.phase === 'failed' || state.phase === 'file-lost';
  return (
    <Progress.Root size="lg">
      <Progress.Section
        value={share * 100}
        color={stopped ? 'gray' : 'wine'}
        animated={!stopped}
        striped={checking}
        aria-label={checking ? texts.checkLabel(nome) : texts.progressLabel(nome)}
        aria-valuetext={texts.share(share)}
      />
    </Progress.Root>
  );
}

/** What changes often is not read aloud; what happens is. */
function Words({ upload }: { upload: Upload }) {
  const { slot, sent, size, state } = upload;
  return (
    <Stack gap={4}>
      {state.phase !== 'checking' && (
        <Text size="sm">
          {texts.share(sent / size)} · {texts.sent(sent, size)}
          {state.phase === 'sending' && state.bytesPerSecond !== null && (
            <> · {texts.speed(state.bytesPerSecond)}</>
          )}
          {state.phase === 'sending' && state.secondsLeft !== null && (
            <> · {texts.timeLeft(state.secondsLeft)}</>
          )}
        </Text>
      )}
      <Group gap="xs" role="status" c={state.phase === 'failed' ? 'var(--mantine-color-error)' : 'inherit'}>
        {state.phase === 'waiting' && <IconCloudOff size={18} aria-hidden />}
        <Text size="sm">{happening(upload, slotTexts[slot].checking)}</Text>
      </Group>
    </Stack>
  );
}

function happening({ state }: Upload, checking: string): string {
  switch (state.phase) {
    case 'sending':
      return texts.keepOpen;
    case 'waiting':
      return texts.waiting;
    case 'file-lost':
      return texts.fileLost;
    case 'checking':
      return checking;
    default:
      return state.messaggio;
  }
}

function Buttons({ upload }: { upload: Upload }) {
  const { key, nome, size, sent, state } = upload;
  const input = useRef<HTMLInputElement>(null);
  if (state.phase === 'checking') return null;
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
              if (file?.size === size) resupplyUpload(key, file);
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
