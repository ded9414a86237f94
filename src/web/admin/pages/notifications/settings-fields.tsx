import { TextInput } from '@mantine/core';
import { notificationsTexts } from '../../../../texts/admin/notifications.ts';
import { Card } from '../../kit/card.tsx';
import type { ConfigRecord } from '../../kit/config-form/sources.ts';
import type { RecordForm } from '../../kit/config-form/use-record-form.ts';
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
