import { Grid, Stack } from '@mantine/core';
import { channelsSetUp } from '../../../../domain/channels.ts';
import { notificationsTexts as texts } from '../../../../texts/admin/notifications.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { LeaveGuard } from '../../components/forms/leave-guard.tsx';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { LoadingPage } from '../../components/forms/unread-page.tsx';
import { useRecord } from '../../components/forms/use-record.ts';
import { Loading } from '../../components/loading.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { useChannelForm } from './channel-form.tsx';
import { EMAIL, EmailCard } from './email.tsx';
import { Queue } from './queue.tsx';
import { TELEGRAM, TelegramCard } from './telegram.tsx';

const head = adminPageTexts['/admin/notifiche'];

/** Channels of the notifications, and the messages waiting to be sent. */
export function Page() {
  const { record, problem, retry } = useRecord(configSource, texts);
  if (record !== undefined) return <Settings record={record} />;
  return <LoadingPage {...head} problem={problem} onRetry={retry} coming={<Loading shape="cards" />} />;
}

function Settings({ record }: { record: ConfigRecord }) {
  const telegram = useChannelForm(TELEGRAM, record);
  const email = useChannelForm(EMAIL, record);
  const unsaved = [telegram, email].filter(({ dirty }) => dirty);
  const canSave = unsaved.every(({ isValid }) => isValid());
  return (
    <PageFrame {...head}>
      <LeaveGuard
        when={unsaved.length > 0}
        saving={unsaved.some(({ saving }) => saving)}
        onSave={canSave ? () => unsaved.forEach(({ save }) => save()) : null}
        needsConfirmation
        onLeave={() => {}}
      />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="lg">
            <TelegramCard form={telegram} />
            <EmailCard form={email} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Queue ready={channelsSetUp(record)} />
        </Grid.Col>
      </Grid>
    </PageFrame>
  );
}
