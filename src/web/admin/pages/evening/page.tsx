import { Stack, TextInput } from '@mantine/core';
import { siteSettingsSchema } from '../../../../contract/records.ts';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { eveningPageTexts as texts } from '../../../../texts/admin/evening.ts';
import { experienceTexts } from '../../../../texts/experience.ts';
import { Card } from '../../components/card.tsx';
import type { RecordFormOptions } from '../../components/forms/form-options.ts';
import { FormPage } from '../../components/forms/form-page.tsx';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { storedText } from '../../components/forms/stored-text.ts';
import { LineField } from '../../components/forms/text-fields.tsx';
import type { RecordForm } from '../../components/forms/use-record-form.ts';
import { Address } from './address.tsx';
import { Graduation } from './graduation.tsx';
import { SeenByHer } from './seen-by-her.tsx';

type EveningValues = { contatto: string; data_laurea: string };

/** Between these days somebody may graduate; the date field itself takes others. */
const DAYS = { min: '2000-01-01', max: '2100-12-31' } as const;

/** The contact and the graduation date. */
const eveningForm: RecordFormOptions<ConfigRecord, EveningValues> = {
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

/** What surrounds the evening: when the site closes, who is named to a disconnected visitor, and the address (decisions 23, 24 and 40). */
export function Page() {
  return (
    <FormPage
      path="/admin/serata"
      form={eveningForm}
      renderFields={(form) => <Fields form={form} />}
      renderPreview={() => <Address />}
    />
  );
}

/** Each field with what it does. */
function Fields({ form }: { form: RecordForm<ConfigRecord, EveningValues> }) {
  const { values, record } = form;
  return (
    <Stack gap="lg">
      <Card title={texts.graduation.title} hint={texts.graduation.hint}>
        <TextInput
          type="date"
          size="md"
          label={texts.graduation.label}
          maw="14rem"
          {...form.input('data_laurea')}
        />
        <Graduation typed={values.data_laurea} saved={record.data_laurea} />
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
    </Stack>
  );
}

/** The notice of a forced disconnect with this contact (spec 8). */
function ContactPreview({ contatto }: { contatto: string }) {
  return (
    <SeenByHer label={texts.contact.preview}>
      <strong>{experienceTexts.disconnected}</strong>
      <span>{contatto === '' ? experienceTexts.noContact : experienceTexts.contact(contatto)}</span>
    </SeenByHer>
  );
}
