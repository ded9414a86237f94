import { Grid, Stack, TextInput } from '@mantine/core';
import { siteSettingsSchema } from '../../../../contract/records.ts';
import { notificationsTexts as texts } from '../../../../texts/admin/notifications.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { Card } from '../../components/card.tsx';
import { FormBody } from '../../components/forms/form-body.tsx';
import type { RecordFormOptions } from '../../components/forms/form-options.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { storedText } from '../../components/forms/stored-text.ts';
import { UnreadPage } from '../../components/forms/unread-page.tsx';
import { useRecord } from '../../components/forms/use-record.ts';
import { type RecordForm, useRecordForm } from '../../components/forms/use-record-form.ts';
import { PageFrame } from '../../components/page-frame.tsx';
import { BotToken, useBotToken } from './bot-token.tsx';
import { Help } from './help.tsx';
import { Queue } from './queue.tsx';
import { TestMessage } from './test-message.tsx';

type Values = { telegram_chat_id: string };

/** What of the settings is read and written alike; the bot token is not among it. */
const form: RecordFormOptions<ConfigRecord, Values> = {
  name: 'notifiche',
  source: configSource,
  labels: { telegram_chat_id: texts.chat.label },
  toValues: ({ telegram_chat_id }) => ({ telegram_chat_id: telegram_chat_id ?? '' }),
  toFields: ({ telegram_chat_id }) => ({ telegram_chat_id: storedText(telegram_chat_id) }),
  validate: ({ telegram_chat_id }) => {
    const chat = siteSettingsSchema.shape.telegram_chat_id.safeParse(storedText(telegram_chat_id));
    return chat.success ? null : { sentence: texts.chat.invalid, fields: ['telegram_chat_id'] };
  },
  // A message to half a number reaches somebody else.
  savedWhenLeft: true,
  sentences: { saved: texts.saved, loadFailed: texts.loadFailed, saveFailed: texts.saveFailed },
};

const head = adminPageTexts['/admin/notifiche'];

/** Where the messages go, and what waits to be sent (decision 23). */
export function Page() {
  const { record, problem, retry } = useRecord(form.source, form.sentences);
  if (record !== undefined) return <Settings record={record} />;
  return <UnreadPage {...head} problem={problem} onRetry={retry} />;
}

function Settings({ record }: { record: ConfigRecord }) {
  const state = useRecordForm(form, record);
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
            <FormBody form={state} also={token}>
              <Chat form={state} />
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

/** The chat the messages go to. */
function Chat({ form }: { form: RecordForm<ConfigRecord, Values> }) {
  return (
    <Card title={texts.chat.title}>
      <TextInput
        size="md"
        label={texts.chat.label}
        description={texts.chat.hint}
        placeholder={texts.chat.placeholder}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        {...form.input('telegram_chat_id')}
      />
    </Card>
  );
}
