import { Grid, Stack, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { channelsSetUp } from '../../../../domain/channels.ts';
import { notificationsTexts as texts } from '../../../../texts/admin/notifications.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { Card } from '../../components/card.tsx';
import { FormBody } from '../../components/forms/form-body.tsx';
import type { ConfigRecord } from '../../components/forms/sources.ts';
import { LoadingPage } from '../../components/forms/unread-page.tsx';
import { useRecord } from '../../components/forms/use-record.ts';
import { type RecordForm, useRecordForm } from '../../components/forms/use-record-form.ts';
import { Loading } from '../../components/loading.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { FindChat } from './find-chat.tsx';
import { Help } from './help.tsx';
import { MailServer } from './mail-server.tsx';
import { Queue } from './queue.tsx';
import { SecretField, type SecretState, useSecret } from './secret-field.tsx';
import { BOT_TOKEN, MAIL_PASSWORD } from './secrets.ts';
import { settingsForm, type Values } from './settings-form.ts';
import { TestMessage } from './test-message.tsx';

const head = adminPageTexts['/admin/notifiche'];

/** Channels of the notifications, and the messages waiting to be sent. */
export function Page() {
  const { record, problem, retry } = useRecord(settingsForm.source, settingsForm.sentences);
  if (record !== undefined) return <Settings record={record} />;
  return <LoadingPage {...head} problem={problem} onRetry={retry} coming={<Loading shape="cards" />} />;
}

function Settings({ record }: { record: ConfigRecord }) {
  const state = useRecordForm(settingsForm, record);
  const token = useSecret(BOT_TOKEN, record);
  const password = useSecret(MAIL_PASSWORD, record);
  const ready = channelsSetUp(record);
  return (
    <PageFrame {...head}>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="lg">
            <Card title={texts.telegram.title} hint={texts.telegram.hint}>
              <SecretField record={record} state={token} />
              <Help of="telegram" />
            </Card>
            <FormBody form={state} also={combineSecrets(token, password)}>
              <Chat form={state} record={record} />
              <MailServer form={state} record={record} password={password} />
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

/** Combines the secrets, which don't save automatically. All unsaved ones are saved together, and must be valid. */
function combineSecrets(...secrets: SecretState[]) {
  const unsaved = secrets.filter((secret) => secret.unsaved);
  return {
    unsaved: unsaved.length > 0,
    savable: unsaved.every(({ savable }) => savable),
    saving: unsaved.some(({ saving }) => saving),
    save: () => {
      for (const secret of unsaved) secret.save();
    },
  };
}

type ChatProps = { form: RecordForm<ConfigRecord, Values>; record: ConfigRecord };

/** The chat that receives the messages. */
function Chat({ form, record: { telegram_bot_token_masked: token, telegram_chat_id } }: ChatProps) {
  const use = useChosen(form);
  return (
    <Card title={texts.chat.title}>
      {/* Another bot has other chats. */}
      {token !== null && <FindChat key={token} saved={telegram_chat_id} onUse={use} />}
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

/** Writes a chosen chat into its field, and saves it as soon as the field has it. */
function useChosen(form: RecordForm<ConfigRecord, Values>): (id: string) => void {
  const [chosen, setChosen] = useState<string | null>(null);
  const isDue = chosen !== null && chosen === form.values.telegram_chat_id && !form.saving;
  useEffect(() => {
    if (!isDue) return;
    setChosen(null);
    form.save();
    // oxlint-disable-next-line react/exhaustive-deps -- saved once, not with each word
  }, [isDue]);
  return (id) => {
    form.input('telegram_chat_id').onChange(id);
    setChosen(id);
  };
}
