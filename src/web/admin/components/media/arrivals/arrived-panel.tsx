import { Alert, Group, Paper, Stack, Text } from '@mantine/core';
import type { ProcessingUpload } from '../../../../../contract/admin/media.ts';
import { commonTexts } from '../../../../../texts/admin/forms.ts';
import { slotTexts } from '../../../../../texts/admin/slots.ts';
import { uploadTexts as texts } from '../../../../../texts/admin/uploads.ts';
import { errorSentences } from '../../../../../texts/errors.ts';
import { IconAlertTriangle } from '../../../../ui/icons/icons.tsx';
import { confirmAction } from '../../confirm-action.ts';
import { BusyButton } from '../../working-button.tsx';
import { RefusedFile } from '../refused-file.tsx';
import { ShareBar } from '../share-bar.tsx';
import {
  type AtWork,
  useCancelProcessing,
  useDismiss,
  useProcessingUploads,
  useRetryProcessing,
} from './arrived.ts';

type PanelCallbacks = {
  /** Called after the administrator dismissed the panel. */
  onRemoved: () => void;
};

/** State of an upload that the server processes, or why it was refused. */
export function ProcessingPanel({ arrived, onRemoved }: { arrived: ProcessingUpload } & PanelCallbacks) {
  switch (arrived.state) {
    case 'working':
      return <WorkPanel work={arrived} onRemoved={onRemoved} />;
    case 'stopped':
      return <StoppedPanel stopped={arrived} onRemoved={onRemoved} />;
    case 'refused':
      return <RefusedPanel refused={arrived} onRemoved={onRemoved} />;
  }
}

/** Reason why processing stopped. The administrator can retry; some problems are retried automatically. */
function StoppedPanel({
  stopped,
  onRemoved,
}: { stopped: Extract<ProcessingUpload, { state: 'stopped' }> } & PanelCallbacks) {
  const retryMutation = useRetryProcessing();
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={texts.halted(stopped.nome)}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text>{errorSentences[stopped.codice]}</Text>
        <Group>
          <BusyButton working={retryMutation.isPending} onClick={() => retryMutation.mutate(stopped)}>
            {commonTexts.retry}
          </BusyButton>
          <Stop work={stopped} onRemoved={onRemoved} />
        </Group>
      </Stack>
    </Alert>
  );
}

function RefusedPanel({
  refused,
  onRemoved,
}: { refused: Extract<ProcessingUpload, { state: 'refused' }> } & PanelCallbacks) {
  const dismiss = useDismiss(onRemoved);
  return (
    <RefusedFile nome={refused.nome} messaggio={errorSentences[refused.codice]}>
      <BusyButton variant="default" working={dismiss.isPending} onClick={() => dismiss.mutate(refused)}>
        {texts.dismiss}
      </BusyButton>
    </RefusedFile>
  );
}

/** Progress and remaining time. Screen readers only announce changes of state, not of progress. */
function WorkPanel({ work, onRemoved }: { work: AtWork } & PanelCallbacks) {
  const { nome, waiting, progress, secondsLeft } = work;
  const status = useWorkStatus(work);
  return (
    <Paper withBorder p="md" component="section" aria-label={texts.workLabel(nome)}>
      <Stack gap="sm">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {nome}
        </Text>
        <ShareBar label={texts.workLabel(nome)} share={progress} going={!waiting} />
        <Stack gap={4}>
          {!waiting && (
            <Text size="sm">
              {texts.share(progress)}
              {secondsLeft !== null && <> · {texts.readyIn(secondsLeft)}</>}
            </Text>
          )}
          <Text size="sm" role="status">
            {status}
          </Text>
          <Text size="sm" c="dimmed">
            {texts.mayClose}
          </Text>
        </Stack>
        <Stop work={work} onRemoved={onRemoved} />
      </Stack>
    </Paper>
  );
}

function useWorkStatus({ slot, waiting }: AtWork): string {
  const isOtherRunning = useProcessingUploads().some((one) => one.state === 'working' && !one.waiting);
  if (!waiting) return slotTexts[slot].checking;
  return isOtherRunning ? texts.queued : texts.aboutToBegin;
}

function Stop({ work, onRemoved }: { work: ProcessingUpload } & PanelCallbacks) {
  const stop = useCancelProcessing(onRemoved);
  const ask = () =>
    confirmAction({
      question: texts.stopQuestion,
      detail: texts.stopConsequence(work.nome),
      confirmLabel: texts.cancelConfirm,
      onConfirm: () => stop.mutate(work),
    });
  return (
    <Group>
      <BusyButton variant="default" working={stop.isPending} onClick={ask}>
        {texts.cancel}
      </BusyButton>
    </Group>
  );
}
