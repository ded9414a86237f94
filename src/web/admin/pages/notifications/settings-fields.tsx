import { TextInput } from '@mantine/core';
import { notificationsTexts } from '../../../../texts/admin/notifications.ts';
import { Card } from '../../components/card.tsx';
import type { ConfigRecord } from '../../components/forms/sources.ts';
import type { RecordForm } from '../../components/forms/use-record-form.ts';
import type { SettingsValues } from './settings-form.ts';

const texts = notificationsTexts.chat;

/** The chat the messages go to. */
export function SettingsFields({ form }: { form: RecordForm<ConfigRecord, SettingsValues> }) {
  return (
    <Card title={texts.title}>
      <TextInput
        size="md"
        label={texts.label}
        description={texts.hint}
        placeholder={texts.placeholder}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        {...form.input('telegram_chat_id')}
      />
    </Card>
  );
}
