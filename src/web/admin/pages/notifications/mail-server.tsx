import { Alert, Group, NativeSelect, TextInput } from '@mantine/core';
import { isThisMachine, SMTP_SECURITIES } from '../../../../domain/channels.ts';
import { notificationsTexts } from '../../../../texts/admin/notifications.ts';
import { Card } from '../../components/card.tsx';
import type { ConfigRecord } from '../../components/forms/sources.ts';
import type { RecordForm } from '../../components/forms/use-record-form.ts';
import { Help } from './help.tsx';
import { SecretField, type SecretState } from './secret-field.tsx';
import type { Values } from './settings-form.ts';

const texts = notificationsTexts.mail;

const OPTIONS = SMTP_SECURITIES.map((value) => ({ value, label: texts.security.options[value] }));

const RAW_INPUT = { size: 'md', autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const;

type MailServerProps = {
  form: RecordForm<ConfigRecord, Values>;
  record: ConfigRecord;
  password: SecretState;
};

/** Mail server, sign-in, sender and recipient of the messages. */
export function MailServer({ form, record, password }: MailServerProps) {
  const { smtp_security, smtp_host } = form.values;
  const isOpen = smtp_security === 'none' && smtp_host.trim() !== '' && !isThisMachine(smtp_host.trim());
  return (
    <Card title={texts.title} hint={texts.hint}>
      <TextInput
        {...RAW_INPUT}
        label={texts.host.label}
        description={texts.host.hint}
        placeholder={texts.host.placeholder}
        inputMode="url"
        {...form.input('smtp_host')}
      />
      <Group gap="md" align="start" grow>
        <NativeSelect
          size="md"
          label={texts.security.label}
          description={texts.security.hint}
          data={OPTIONS}
          {...form.input('smtp_security')}
        />
        <TextInput
          {...RAW_INPUT}
          label={texts.port.label}
          description={texts.port.hint}
          inputMode="numeric"
          {...form.input('smtp_port')}
        />
      </Group>
      {isOpen && (
        <Alert color="yellow" variant="light">
          {texts.security.warning}
        </Alert>
      )}
      <TextInput
        {...RAW_INPUT}
        label={texts.user.label}
        description={texts.user.hint}
        {...form.input('smtp_user')}
      />
      <SecretField record={record} state={password} />
      <Address form={form} field="email_from" words={texts.from} />
      <Address form={form} field="email_to" words={texts.to} />
      <Help of="email" />
    </Card>
  );
}

type AddressProps = {
  form: RecordForm<ConfigRecord, Values>;
  field: 'email_from' | 'email_to';
  words: { label: string; hint: string };
};

function Address({ form, field, words: { label, hint } }: AddressProps) {
  return (
    <TextInput {...RAW_INPUT} label={label} description={hint} inputMode="email" {...form.input(field)} />
  );
}
