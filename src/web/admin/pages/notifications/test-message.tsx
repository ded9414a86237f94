import { Alert, Code, Stack, Text } from '@mantine/core';
import { IconCheck, IconSend, IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notificationsTexts } from '../../../../texts/admin/notifications.ts';
import { toastError } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { WorkingButton } from '../../components/working-button.tsx';
import { messageOf } from '../../failure.ts';
import { Meaning } from './meaning.tsx';

const texts = notificationsTexts.test;

/** «Invia un messaggio di prova»: at once, with what is saved, and Telegram's own answer. */
export function TestMessage({ ready }: { ready: boolean }) {
  const queryClient = useQueryClient();
  const { mutate, data, isPending } = useMutation({
    mutationFn: () => api.notifications.test({}),
    onError: (error) => toastError(messageOf(error, texts.failed)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queries.notifications.key() }),
  });
  return (
    <Card title={texts.title} hint={ready ? texts.hint : texts.notReady}>
      <WorkingButton
        variant="default"
        leftSection={<IconSend size={18} aria-hidden />}
        disabled={!ready}
        working={isPending}
        onClick={() => mutate()}
      >
        {texts.send}
      </WorkingButton>
      <div role="status">
        {isPending && <Text c="dimmed">{texts.sending}</Text>}
        {data !== undefined && !isPending && <Answer {...data} />}
      </div>
    </Card>
  );
}

function Answer({ sent, answer }: { sent: boolean; answer: string }) {
  const Icon = sent ? IconCheck : IconX;
  return (
    <Alert color={sent ? 'green' : 'red'} title={sent ? texts.good : texts.bad} icon={<Icon aria-hidden />}>
      <Stack gap={4}>
        <Text size="sm">{texts.answer}</Text>
        <Code block>{answer}</Code>
        <Meaning answer={answer} />
      </Stack>
    </Alert>
  );
}
