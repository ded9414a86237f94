import { siteSettingsSchema } from '../../../../contract/records.ts';
import { notificationsTexts as texts } from '../../../../texts/admin/notifications.ts';
import type { Problem, RecordFormOptions } from '../../kit/config-form/form-options.ts';
import { type ConfigRecord, configSource } from '../../kit/config-form/sources.ts';
import { storedText } from '../../kit/config-form/stored-text.ts';

export type SettingsValues = { telegram_chat_id: string; contatto: string; data_laurea: string };

/** Between these days somebody may graduate; the date field itself takes others. */
const DAYS = { min: '2000-01-01', max: '2100-12-31' } as const;

/** What of the settings is read and written alike; the bot token is not among it. */
export const settingsForm: RecordFormOptions<ConfigRecord, SettingsValues> = {
  name: 'notifiche',
  source: configSource,
  labels: {
    telegram_chat_id: texts.chat.label,
    contatto: texts.contact.label,
    data_laurea: texts.graduation.label,
  },
  toValues: ({ telegram_chat_id, contatto, data_laurea }) => ({
    telegram_chat_id: telegram_chat_id ?? '',
    contatto: contatto ?? '',
    data_laurea: data_laurea ?? '',
  }),
  toFields: ({ telegram_chat_id, contatto, data_laurea }) => ({
    telegram_chat_id: storedText(telegram_chat_id),
    contatto: storedText(contatto),
    data_laurea: storedText(data_laurea),
  }),
  validate,
  sentences: { saved: texts.saved, loadFailed: texts.loadFailed, saveFailed: texts.saveFailed },
};

function validate({ telegram_chat_id, data_laurea }: SettingsValues): Problem<SettingsValues> | null {
  const chat = siteSettingsSchema.shape.telegram_chat_id.safeParse(storedText(telegram_chat_id));
  if (!chat.success) return { sentence: texts.chat.invalid, fields: ['telegram_chat_id'] };
  if (!isPlausible(data_laurea)) return { sentence: texts.graduation.invalid, fields: ['data_laurea'] };
  return null;
}

function isPlausible(day: string): boolean {
  if (day === '') return true;
  return siteSettingsSchema.shape.data_laurea.safeParse(day).success && day >= DAYS.min && day <= DAYS.max;
}
