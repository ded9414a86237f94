import { Grid, Stack } from '@mantine/core';
import { notificationsTexts as texts } from '../../../../texts/admin/notifications.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { Card } from '../../components/card.tsx';
import { FormBody } from '../../components/forms/form-body.tsx';
import type { ConfigRecord } from '../../components/forms/sources.ts';
import { UnreadPage } from '../../components/forms/unread-page.tsx';
import { useRecord } from '../../components/forms/use-record.ts';
import { useRecordForm } from '../../components/forms/use-record-form.ts';
import { PageFrame } from '../../components/page-frame.tsx';
import { BotToken, useBotToken } from './bot-token.tsx';
import { Help } from './help.tsx';
import { Queue } from './queue.tsx';
import { SettingsFields } from './settings-fields.tsx';
import { settingsForm } from './settings-form.ts';
import { TestMessage } from './test-message.tsx';

const head = adminPageTexts['/admin/notifiche'];

/** Where the messages go, and what waits to be sent (decision 23). */
export function Page() {
  const { record, problem, retry } = useRecord(settingsForm.source, settingsForm.sentences);
  if (record !== undefined) return <Settings record={record} />;
  return <UnreadPage {...head} problem={problem} onRetry={retry} />;
}

function Settings({ record }: { record: ConfigRecord }) {
  const form = useRecordForm(settingsForm, record);
  const token = useBotToken(record);
  const ready = record.telegram_bot_token_masked !== null && record.telegram_chat_id !== null;
  return (
    <PageFrame {...head}>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="lg">
            <Card title={texts.telegram.title} hint={texts.telegram.hint}>
              <BotToken record={record} token={token} />
              <Help />
            </Card>
            <FormBody form={form} also={token}>
              <SettingsFields form={form} />
            </FormBody>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="lg">
            <TestMessage ready={ready} />
            <Queue ready={ready} />
          </Stack>
        </Grid.Col>
      </Grid>
    </PageFrame>
  );
}
