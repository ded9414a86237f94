import { Stack, TextInput } from '@mantine/core';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { notificationsTexts as texts } from '../../../../texts/admin/notifications.ts';
import type { ConfigRecord } from '../../kit/config-form/sources.ts';
import { LineField } from '../../kit/config-form/text-fields.tsx';
import type { RecordForm } from '../../kit/config-form/use-record-form.ts';
import { Card } from './card.tsx';
import { ContactPreview } from './contact-preview.tsx';
import { Graduation } from './graduation.tsx';
import type { SettingsValues } from './settings-form.ts';

/** The chat, the contact and the graduation date, each with what it does. */
export function SettingsFields({ form }: { form: RecordForm<ConfigRecord, SettingsValues> }) {
  const { values, record } = form;
  return (
    <Stack gap="lg">
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
      <Card title={texts.contact.title} hint={texts.contact.hint}>
        <LineField
          form={form}
          field="contatto"
          max={MAX_LENGTH.contact}
          placeholder={texts.contact.placeholder}
        />
        <ContactPreview contatto={values.contatto.trim()} />
      </Card>
      <Card title={texts.graduation.title} hint={texts.graduation.hint}>
        <TextInput type="date" label={texts.graduation.label} maw="14rem" {...form.input('data_laurea')} />
        <Graduation typed={values.data_laurea} saved={record.data_laurea} />
      </Card>
    </Stack>
  );
}
