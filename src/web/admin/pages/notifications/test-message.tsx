import { Alert, Code, Stack, Text } from '@mantine/core';
import { IconCheck, IconMail, IconSend, IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CHANNELS, type ChannelName } from '../../../../domain/channels.ts';
import { notificationsTexts } from '../../../../texts/admin/notifications.ts';
import { toastError } from '../../../ui/toaster/toast.ts';
import { api, queries } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { BusyButton } from '../../components/working-button.tsx';
import { messageOf } from '../../failure.ts';
import { Meaning } from './meaning.tsx';

const texts = notificationsTexts.test;
const ICONS = { telegram: IconSend, email: IconMail } as const;

/** «Invia un messaggio di prova» for each channel: sends at once with the saved settings and shows the service's reply. */
export function TestMessage({ ready }: { ready: Record<ChannelName, boolean> }) {
  return (
    <Card title={texts.title} hint={texts.hint}>
      {CHANNELS.map((channel) => (
        <Test key={channel} channel={channel} ready={ready[channel]} />
      ))}
    </Card>
  );
}

function Test({ channel, ready }: { channel: ChannelName; ready: boolean }) {
  const words = texts[channel];
  const Icon = ICONS[channel];
  const queryClient = useQueryClient();
  const { mutate, data, isPending } = useMutation({
    mutationFn: () => api.notifications.test({ canale: channel }),
    onError: (error) => toastError(messageOf(error, texts.failed)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queries.notifications.key() }),
  });
  return (
    <Stack gap="xs">
      <BusyButton
        variant="default"
        leftSection={<Icon size={18} aria-hidden />}
        disabled={!ready}
        working={isPending}
        onClick={() => mutate()}
      >
        {words.send}
      </BusyButton>
      {!ready && (
        <Text size="sm" c="dimmed">
          {words.notReady}
        </Text>
      )}
      <div role="status">
        {isPending && <Text c="dimmed">{words.sending}</Text>}
        {data !== undefined && !isPending && <Answer channel={channel} {...data} />}
      </div>
    </Stack>
  );
}

function Answer({ channel, sent, answer }: { channel: ChannelName; sent: boolean; answer: string }) {
  const Icon = sent ? IconCheck : IconX;
  const words = texts[channel];
  return (
    <Alert color={sent ? 'green' : 'red'} title={sent ? words.good : words.bad} icon={<Icon aria-hidden />}>
      <Stack gap={4}>
        <Text size="sm">{words.answer}</Text>
        <Code block style={{ whiteSpace: 'pre-wrap' }}>
          {answer}
        </Code>
        <Meaning channel={channel} answer={answer} />
      </Stack>
    </Alert>
  );
}
