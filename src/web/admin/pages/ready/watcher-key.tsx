import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { readyTexts as texts } from '../../../../texts/admin/ready.ts';
import { momentOf } from '../../../../texts/admin/times.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { confirmAction } from '../../components/confirm-action.ts';
import { copyText } from '../../components/copy-text.tsx';
import { WorkingButton } from '../../components/working-button.tsx';
import { messageOf } from '../../failure.ts';
import { useSiteAddress } from '../../site-address.ts';
import styles from './page.module.css';

/** The key with which somebody else may ask: made, shown once, withdrawn. */
export function WatcherKey({ key_at }: { key_at: string | null }) {
  const address = new URL('/api/admin/ready', useSiteAddress());
  const { make, withdraw } = useKey();
  const anew = () =>
    confirmAction({ question: texts.keyAnewQuestion, confirmLabel: texts.keyAnew, onConfirm: make.mutate });
  const ask = () =>
    confirmAction({
      question: texts.keyWithdrawQuestion,
      confirmLabel: texts.keyWithdraw,
      onConfirm: withdraw.mutate,
    });
  return (
    <Stack component="section" gap="sm" align="flex-start">
      <Title order={2} size="h4">
        {texts.key}
      </Title>
      <Text maw="40rem">{texts.keyText}</Text>
      <Code className={styles.key}>{address.href}</Code>
      {make.data !== undefined && key_at !== null && <Shown value={make.data.key} />}
      {key_at !== null && <Text c="dimmed">{texts.keySince(momentOf(key_at))}</Text>}
      <Group gap="sm">
        <WorkingButton
          variant="default"
          working={make.isPending}
          onClick={key_at === null ? () => make.mutate() : anew}
        >
          {key_at === null ? texts.keyMake : texts.keyAnew}
        </WorkingButton>
        {key_at !== null && (
          <WorkingButton variant="default" working={withdraw.isPending} onClick={ask}>
            {texts.keyWithdraw}
          </WorkingButton>
        )}
      </Group>
    </Stack>
  );
}

function Shown({ value }: { value: string }) {
  return (
    <Stack gap="xs" align="flex-start" role="status">
      <Text fw={600}>{texts.keyLabel}</Text>
      <Code className={styles.key}>{value}</Code>
      <Button onClick={() => void copyText(value, texts.keyCopied)}>{texts.keyCopy}</Button>
    </Stack>
  );
}

function useKey() {
  const make = useMutation({
    mutationFn: () => api.ready.makeKey(),
    onError: (failed) => toastError(messageOf(failed, texts.keyMakeFailed)),
    onSettled: (_done, _failed, _variables, _result, { client }) =>
      client.invalidateQueries({ queryKey: queries.ready.key() }),
  });
  const withdraw = useMutation({
    mutationFn: () => api.ready.withdrawKey(),
    onSuccess: () => {
      make.reset();
      toastSuccess(texts.keyWithdrawn);
    },
    onError: (failed) => toastError(messageOf(failed, texts.keyWithdrawFailed)),
    onSettled: (_done, _failed, _variables, _result, { client }) =>
      client.invalidateQueries({ queryKey: queries.ready.key() }),
  });
  return { make, withdraw };
}
