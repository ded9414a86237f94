import { Code, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CHANNELS, type ChannelName } from '../../../../domain/channels.ts';
import { meaningOf, notificationsTexts } from '../../../../texts/admin/notifications.ts';
import { longMoment } from '../../../../texts/dates.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { queries } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { confirmAction } from '../../components/confirm-action.ts';
import { RefreshButton } from '../../components/live-table/refresh-button.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { BusyButton } from '../../components/working-button.tsx';
import { messageOf } from '../../failure.ts';

const texts = notificationsTexts.queue;
/** Poll interval while messages wait, in ms. */
const POLL_MS = 5_000;

type ReadyChannels = Record<ChannelName, boolean>;
type Status = {
  in_attesa: number;
  ultimo_errore: { messaggio: string; prossimo_tentativo: string } | null;
  ultimo_invio: string | null;
};

/** Waiting messages, the last error and the last delivery of each channel in use. */
export function Queue({ ready }: { ready: ReadyChannels }) {
  const query = useQuery(
    queries.notifications.status.queryOptions({
      refetchInterval: ({ state: { data } }) =>
        data && CHANNELS.some((channel) => data[channel].in_attesa > 0) ? POLL_MS : false,
    }),
  );
  return (
    <Card
      title={texts.title}
      action={<RefreshButton label={texts.refresh} onRefresh={() => query.refetch()} />}
    >
      <Loaded query={query} loadFailed={texts.loadFailed} shape="rows" count={1}>
        {(status) => <Channels ready={ready} status={status} />}
      </Loaded>
    </Card>
  );
}

function Channels({ ready, status }: { ready: ReadyChannels; status: Record<ChannelName, Status> }) {
  const isShown = (channel: ChannelName) =>
    ready[channel] || status[channel].in_attesa > 0 || status[channel].ultimo_invio !== null;
  const shown = CHANNELS.filter(isShown);
  const [only = 'telegram'] = shown;
  if (shown.length < 2) return <ChannelQueue channel={only} ready={ready} status={status[only]} />;
  return shown.map((channel) => (
    <Stack key={channel} gap="xs">
      <Title order={3} size="h4">
        {texts.channels[channel]}
      </Title>
      <ChannelQueue channel={channel} ready={ready} status={status[channel]} />
    </Stack>
  ));
}

type ChannelQueueProps = { channel: ChannelName; ready: ReadyChannels; status: Status };

function ChannelQueue({ channel, ready, status }: ChannelQueueProps) {
  const { in_attesa, ultimo_errore, ultimo_invio } = status;
  const blockedText = Object.values(ready).includes(true) ? texts.held[channel] : texts.heldByBoth;
  return (
    <>
      <Text fw={600}>{in_attesa === 0 ? texts.none : texts.waiting(in_attesa)}</Text>
      {in_attesa > 0 && !ready[channel] && <Text>{blockedText}</Text>}
      {ultimo_errore !== null && <LastError channel={channel} {...ultimo_errore} />}
      {in_attesa > 0 && <RemoveWaiting channel={channel} />}
      <Text c="dimmed">
        {ultimo_invio === null ? texts.neverSent : `${texts.lastSent}: ${longMoment(ultimo_invio)}`}
      </Text>
    </>
  );
}

/** Removes waiting messages from the queue. Messages about answers don't expire; only this removes them. */
function RemoveWaiting({ channel }: { channel: ChannelName }) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation(
    queries.notifications.takeBack.mutationOptions({
      onSuccess: () => toastSuccess(texts.cleared),
      onError: (error) => toastError(messageOf(error, texts.takeBackFailed)),
      onSettled: () => client.invalidateQueries({ queryKey: queries.notifications.key() }),
    }),
  );
  const ask = () =>
    confirmAction({
      question: texts.takeBackQuestion,
      detail: texts.takeBackDetail,
      confirmLabel: texts.takeBack,
      onConfirm: () => mutate({ canale: channel }),
    });
  return (
    <BusyButton variant="default" working={isPending} onClick={ask} style={{ alignSelf: 'flex-start' }}>
      {texts.takeBack}
    </BusyButton>
  );
}

type LastErrorProps = { channel: ChannelName; messaggio: string; prossimo_tentativo: string };

function LastError({ channel, messaggio, prossimo_tentativo }: LastErrorProps) {
  return (
    <div>
      <Text>{texts.lastError}</Text>
      <ServiceReply channel={channel} answer={messaggio} />
      <Text c="dimmed">{`${texts.nextTry}: ${longMoment(prossimo_tentativo)}`}</Text>
    </div>
  );
}

/** The service's reply, explained if it is a known one. */
export function ServiceReply({ channel, answer }: { channel: ChannelName; answer: string }) {
  const meaning = meaningOf(channel, answer);
  return (
    <>
      <Code block style={{ whiteSpace: 'pre-wrap' }}>
        {answer}
      </Code>
      {meaning !== null && <Text mt="xs">{meaning}</Text>}
    </>
  );
}
