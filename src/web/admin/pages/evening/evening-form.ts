import { siteSettingsSchema } from '../../../../contract/records.ts';
import { eveningPageTexts as texts } from '../../../../texts/admin/evening.ts';
import type { RecordFormOptions } from '../../components/forms/form-options.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { storedText } from '../../components/forms/stored-text.ts';

export type EveningValues = { contatto: string; data_laurea: string };

/** Between these days somebody may graduate; the date field itself takes others. */
const DAYS = { min: '2000-01-01', max: '2100-12-31' } as const;

/** The contact and the graduation date. */
export const eveningForm: RecordFormOptions<ConfigRecord, EveningValues> = {
  name: 'serata',
  source: configSource,
  labels: { contatto: texts.contact.label, data_laurea: texts.graduation.label },
  toValues: ({ contatto, data_laurea }) => ({ contatto: contatto ?? '', data_laurea: data_laurea ?? '' }),
  toFields: ({ contatto, data_laurea }) => ({
    contatto: storedText(contatto),
    data_laurea: storedText(data_laurea),
  }),
  validate: ({ data_laurea }) =>
    isPlausible(data_laurea) ? null : { sentence: texts.graduation.invalid, fields: ['data_laurea'] },
  // A day that is half written may be one that closes the site.
  savedWhenLeft: true,
  sentences: { saved: texts.saved, loadFailed: texts.loadFailed, saveFailed: texts.saveFailed },
};

function isPlausible(day: string): boolean {
  if (day === '') return true;
  return siteSettingsSchema.shape.data_laurea.safeParse(day).success && day >= DAYS.min && day <= DAYS.max;
}
