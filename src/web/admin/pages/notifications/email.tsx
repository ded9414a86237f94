import { Alert, Anchor, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { siteSettingsSchema } from '../../../../contract/model.ts';
import {
  isThisMachine,
  MAIL_PROVIDERS,
  type MailProvider,
  SMTP_DEFAULTS,
  SMTP_SECURITIES,
} from '../../../../domain/channels.ts';
import { keysOf } from '../../../../domain/records.ts';
import { notificationsTexts } from '../../../../texts/admin/notifications.ts';
import type { ConfigRecord } from '../../components/forms/sources.ts';
import { storedText } from '../../components/forms/stored-text.ts';
import { ChannelCard, type ChannelForm, type ChannelOptions } from './channel-form.tsx';

const texts = notificationsTexts.mail;
const { shape } = siteSettingsSchema;

export type EmailValues = {
  /** Empty until one is chosen. */
  provider: '' | MailProvider | 'other';
  smtp_host: string;
  smtp_security: string;
  smtp_port: string;
  smtp_user: string;
  email_from: string;
  /** Empty if it is the same as the sender. */
  email_to: string;
  secret: string;
};

export const EMAIL: ChannelOptions<EmailValues> = {
  name: 'email',
  secretField: 'smtp_password',
  maskOf: ({ smtp_password_kept }) => (smtp_password_kept ? '••••••••' : ''),
  empty: {
    provider: '',
    smtp_host: '',
    smtp_security: SMTP_DEFAULTS.smtp_security,
    smtp_port: String(SMTP_DEFAULTS.smtp_port),
    smtp_user: '',
    email_from: '',
    email_to: '',
    secret: '',
  },
  toValues: (record) => ({
    provider: providerOf(record),
    smtp_host: record.smtp_host ?? '',
    smtp_security: record.smtp_security,
    smtp_port: String(record.smtp_port),
    smtp_user: record.smtp_user ?? '',
    email_from: record.email_from ?? '',
    email_to: record.email_to === record.email_from ? '' : (record.email_to ?? ''),
    secret: '',
  }),
  toFields,
  // Gmail shows its passwords for apps in groups of four letters.
  secretOf: ({ provider, secret }) => (provider === 'gmail' ? secret.replaceAll(/\s/g, '') : secret.trim()),
  findErrors: (values, record) => {
    const fields = toFields(values);
    const secret = EMAIL.secretOf(values);
    const isInvalid = (field: keyof typeof fields) => !shape[field].safeParse(fields[field]).success;
    // The server forgets the password of another server.
    const isKept = record.smtp_password_kept && fields.smtp_host === record.smtp_host;
    const isMissing = secret === '' && fields.smtp_user !== null && !isKept;
    const isWithoutUser = secret !== '' && fields.smtp_user === null;
    return {
      smtp_host: fields.smtp_host === null || isInvalid('smtp_host') ? texts.host.invalid : null,
      smtp_security: isInvalid('smtp_security') ? texts.security.invalid : null,
      smtp_port: isInvalid('smtp_port') ? texts.port.invalid : null,
      email_from: fields.email_from === null || isInvalid('email_from') ? texts.from.invalid : null,
      smtp_user: isWithoutUser || isInvalid('smtp_user') ? texts.user.invalid : null,
      secret:
        isMissing || !shape.smtp_password.safeParse(secret || null).success ? texts.password.invalid : null,
      email_to: isInvalid('email_to') ? texts.to.invalid : null,
    };
  },
};

/** Returns the provider whose server is set, if the user name is the address as there. */
function providerOf({ smtp_host, smtp_user, email_from }: ConfigRecord): EmailValues['provider'] {
  if (smtp_host === null) return '';
  const isIts = (name: MailProvider) => MAIL_PROVIDERS[name].smtp_host === smtp_host.toLowerCase();
  const known = smtp_user === email_from ? keysOf(MAIL_PROVIDERS).find(isIts) : undefined;
  return known ?? 'other';
}

function toFields({ provider, ...values }: EmailValues) {
  const email_from = storedText(values.email_from);
  return {
    smtp_host: storedText(values.smtp_host),
    smtp_security: SMTP_SECURITIES.find((name) => name === values.smtp_security) ?? 'starttls',
    smtp_port: Number(values.smtp_port),
    smtp_user: provider === 'other' ? storedText(values.smtp_user) : email_from,
    email_from,
    email_to: storedText(values.email_to) ?? email_from,
  };
}

const RAW_INPUT = { size: 'md', autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const;
const PROVIDER_OPTIONS = [
  { value: '', label: texts.provider.choose, disabled: true },
  ...keysOf(MAIL_PROVIDERS).map((value) => ({ value, label: texts.providers[value] })),
  { value: 'other', label: texts.provider.other },
];

type EmailFormProps = { form: ChannelForm<EmailValues> };

/** The mail service, its address and password, and the recipient. A known service fills in its server. */
export function EmailCard({ form }: EmailFormProps) {
  const { provider, email_from } = form.values;
  const choose = (chosen: string) => {
    const known = keysOf(MAIL_PROVIDERS).find((name) => name === chosen);
    if (known === undefined)
      return form.setValues({ provider: 'other', smtp_host: '', smtp_user: email_from });
    const server = MAIL_PROVIDERS[known];
    form.setValues({ ...server, smtp_port: String(server.smtp_port), provider: known });
  };
  const isKept = form.record.smtp_password_kept && form.values.smtp_host === form.record.smtp_host;
  return (
    <ChannelCard form={form} isSavable={provider !== ''}>
      <NativeSelect
        size="md"
        label={texts.provider.label}
        data={PROVIDER_OPTIONS}
        value={provider}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {provider === 'outlook' && <Alert color="yellow">{texts.outlookRefuses}</Alert>}
      {provider === 'other' && <MailServer form={form} />}
      {provider !== '' && (
        <>
          <TextInput
            {...RAW_INPUT}
            label={texts.from.label}
            description={texts.from.hint}
            inputMode="email"
            autoComplete="email"
            {...form.input('email_from')}
          />
          {provider === 'other' && (
            <TextInput
              {...RAW_INPUT}
              label={texts.user.label}
              description={texts.user.hint}
              {...form.input('smtp_user')}
            />
          )}
          {provider === 'gmail' && (
            <Anchor
              href="https://myaccount.google.com/apppasswords"
              target="_blank"
              rel="noopener noreferrer"
            >
              {texts.createPassword}
            </Anchor>
          )}
          <PasswordInput
            {...RAW_INPUT}
            autoComplete="new-password"
            label={texts.password.label}
            description={isKept ? texts.password.kept : texts.passwords[provider]}
            placeholder={isKept ? EMAIL.maskOf(form.record) : undefined}
            {...form.input('secret')}
          />
          <TextInput
            {...RAW_INPUT}
            label={texts.to.label}
            description={texts.to.hint}
            placeholder={email_from}
            inputMode="email"
            {...form.input('email_to')}
          />
        </>
      )}
    </ChannelCard>
  );
}

const SECURITY_OPTIONS = SMTP_SECURITIES.map((value) => ({ value, label: texts.security.options[value] }));

/** Server of a service that isn't in the list. */
function MailServer({ form }: EmailFormProps) {
  const { smtp_security, smtp_host } = form.values;
  const isOpen = smtp_security === 'none' && smtp_host.trim() !== '' && !isThisMachine(smtp_host.trim());
  return (
    <>
      <TextInput
        {...RAW_INPUT}
        label={texts.host.label}
        description={texts.host.hint}
        placeholder={texts.host.placeholder}
        inputMode="url"
        {...form.input('smtp_host')}
      />
      <NativeSelect
        size="md"
        label={texts.security.label}
        data={SECURITY_OPTIONS}
        {...form.input('smtp_security')}
      />
      <TextInput {...RAW_INPUT} label={texts.port.label} inputMode="numeric" {...form.input('smtp_port')} />
      {isOpen && (
        <Alert color="yellow" variant="light">
          {texts.security.warning}
        </Alert>
      )}
    </>
  );
}
