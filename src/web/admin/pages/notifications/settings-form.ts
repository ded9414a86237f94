import { siteSettingsSchema } from '../../../../contract/records.ts';
import { notificationsTexts as texts } from '../../../../texts/admin/notifications.ts';
import type { RecordFormOptions } from '../../components/forms/form-options.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { storedText } from '../../components/forms/stored-text.ts';

export type SettingsValues = { telegram_chat_id: string };

/** What of the settings is read and written alike; the bot token is not among it. */
export const settingsForm: RecordFormOptions<ConfigRecord, SettingsValues> = {
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
