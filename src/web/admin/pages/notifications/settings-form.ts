import { siteSettingsSchema } from '../../../../contract/records.ts';
import { SMTP_SECURITIES } from '../../../../domain/channels.ts';
import { keysOf } from '../../../../domain/records.ts';
import { notificationsTexts as texts } from '../../../../texts/admin/notifications.ts';
import type { RecordFormOptions } from '../../components/forms/form-options.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { storedText } from '../../components/forms/stored-text.ts';

/** Settings that are both read and written; not the bot token and the password. */
export type Values = {
  telegram_chat_id: string;
  smtp_host: string;
  smtp_security: string;
  smtp_port: string;
  smtp_user: string;
  email_from: string;
  email_to: string;
};

const { mail } = texts;

const INVALID: Record<keyof Values, string> = {
  telegram_chat_id: texts.chat.invalid,
  smtp_host: mail.host.invalid,
  smtp_security: mail.security.invalid,
  smtp_port: mail.port.invalid,
  smtp_user: mail.user.invalid,
  email_from: mail.from.invalid,
  email_to: mail.to.invalid,
};

export const settingsForm: RecordFormOptions<ConfigRecord, Values> = {
  name: 'notifiche',
  source: configSource,
  labels: {
    telegram_chat_id: texts.chat.label,
    smtp_host: mail.host.label,
    smtp_security: mail.security.label,
    smtp_port: mail.port.label,
    smtp_user: mail.user.label,
    email_from: mail.from.label,
    email_to: mail.to.label,
  },
  toValues: (record) => ({
    telegram_chat_id: record.telegram_chat_id ?? '',
    smtp_host: record.smtp_host ?? '',
    smtp_security: record.smtp_security,
    smtp_port: String(record.smtp_port),
    smtp_user: record.smtp_user ?? '',
    email_from: record.email_from ?? '',
    email_to: record.email_to ?? '',
  }),
  toFields,
  validate: (values) => {
    const fields = toFields(values);
    const wrong = keysOf(INVALID).find(
      (name) => !siteSettingsSchema.shape[name].safeParse(fields[name]).success,
    );
    return wrong === undefined ? null : { sentence: INVALID[wrong], fields: [wrong] };
  },
  // A message to a partly typed chat id would reach someone else.
  savedWhenLeft: true,
  sentences: { saved: texts.saved, loadFailed: texts.loadFailed, saveFailed: texts.saveFailed },
};

function toFields(values: Values) {
  return {
    telegram_chat_id: storedText(values.telegram_chat_id),
    smtp_host: storedText(values.smtp_host),
    smtp_security: SMTP_SECURITIES.find((name) => name === values.smtp_security) ?? 'starttls',
    smtp_port: Number(values.smtp_port),
    smtp_user: storedText(values.smtp_user),
    email_from: storedText(values.email_from),
    email_to: storedText(values.email_to),
  };
}
