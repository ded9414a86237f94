import { Code, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { notificationsTexts } from '../../../../texts/admin/notifications.ts';
import { longMoment } from '../../../../texts/dates.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { queries } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { confirmAction } from '../../components/confirm-action.ts';
import { RefreshButton } from '../../components/live-table/refresh-button.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { WorkingButton } from '../../components/working-button.tsx';
import { messageOf } from '../../failure.ts';
import { Meaning } from './meaning.tsx';

const texts = notificationsTexts.queue;
/** While something waits the queue is looked at again after so many milliseconds. */
const LOOK_AGAIN_MS = 5_000;

/** What waits to be sent, what holds it up, and when something last left. */
export function Queue({ ready }: { ready: boolean }) {
  const query = useQuery(
    queries.notifications.status.queryOptions({
      refetchInterval: ({ state }) => (state.data?.in_attesa ? LOOK_AGAIN_MS : false),
    }),
  );
  return (
    <Card
      title={texts.title}
      action={<RefreshButton label={texts.refresh} onRefresh={() => query.refetch()} />}
    >
      <Loaded query={query} loadFailed={texts.loadFailed}>
        {({ in_attesa, ultimo_errore, ultimo_invio }) => (
          <>
            <Text fw={600}>{in_attesa === 0 ? texts.none : texts.waiting(in_attesa)}</Text>
            {in_attesa > 0 && !ready && <Text>{texts.held}</Text>}
            {ultimo_errore !== null && <LastError {...ultimo_errore} />}
            {in_attesa > 0 && <TakeBack />}
            <Text c="dimmed">
              {ultimo_invio === null ? texts.neverSent : `${texts.lastSent}: ${longMoment(ultimo_invio)}`}
            </Text>
          </>
        )}
      </Loaded>
    </Card>
  );
}

/** Answers wait for as long as it takes: only this makes them stop waiting. */
function TakeBack() {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation(
    queries.notifications.takeBack.mutationOptions({
      onSuccess: () => toastSuccess(texts.takenBack),
      onError: (error) => toastError(messageOf(error, texts.takeBackFailed)),
      onSettled: () => client.invalidateQueries({ queryKey: queries.notifications.key() }),
    }),
  );
  const ask = () =>
    confirmAction({
      question: texts.takeBackQuestion,
      detail: texts.takeBackDetail,
      confirmLabel: texts.takeBack,
      onConfirm: () => mutate({}),
    });
  return (
    <WorkingButton variant="default" working={isPending} onClick={ask} style={{ alignSelf: 'flex-start' }}>
      {texts.takeBack}
    </WorkingButton>
  );
}

type LastErrorProps = { messaggio: string; prossimo_tentativo: string };

function LastError({ messaggio, prossimo_tentativo }: LastErrorProps) {
  return (
    <div>
      <Text>{texts.lastError}</Text>
      <Code block>{messaggio}</Code>
      <Meaning answer={messaggio} />
      <Text c="dimmed">{`${texts.nextTry}: ${longMoment(prossimo_tentativo)}`}</Text>
    </div>
  );
}
