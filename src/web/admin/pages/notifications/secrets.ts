import type { z } from 'zod';
import { siteSettingsSchema } from '../../../../contract/records.ts';
import { notificationsTexts } from '../../../../texts/admin/notifications.ts';
import type { ConfigRecord } from '../../components/forms/sources.ts';

type SecretName = 'telegram_bot_token' | 'smtp_password';

/** A value that is written and never read back. */
export type Secret = {
  field: SecretName;
  schema: z.ZodType<string | null>;
  texts: typeof notificationsTexts.token | typeof notificationsTexts.password;
  /** Masked display of the saved value; null if there is none. */
  shown: (record: ConfigRecord) => string | null;
  /** True if it is hidden while typing. */
  hidden: boolean;
};

export const BOT_TOKEN: Secret = {
  field: 'telegram_bot_token',
  schema: siteSettingsSchema.shape.telegram_bot_token,
  texts: notificationsTexts.token,
  shown: ({ telegram_bot_token_masked }) => telegram_bot_token_masked,
  hidden: false,
};

export const MAIL_PASSWORD: Secret = {
  field: 'smtp_password',
  schema: siteSettingsSchema.shape.smtp_password,
  texts: notificationsTexts.password,
  shown: ({ smtp_password_kept }) => (smtp_password_kept ? '••••••••' : null),
  hidden: true,
};
