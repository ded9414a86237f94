import { Stack, Switch, Text, TextInput } from '@mantine/core';
import { siteSettingsSchema } from '../../../../contract/records.ts';
import type { Dress } from '../../../../domain/dresses.ts';
import { isKeepsakeOpen } from '../../../../domain/keepsake.ts';
import { MAX_LENGTH, REFUSED_ENTRY_RETENTION_DAYS } from '../../../../domain/limits.ts';
import { contactText } from '../../../../domain/recipient-name.ts';
import { eveningPageTexts as texts } from '../../../../texts/admin/evening.ts';
import { longDay } from '../../../../texts/dates.ts';
import { experienceTexts } from '../../../../texts/experience.ts';
import { Card } from '../../components/card.tsx';
import type { RecordFormOptions } from '../../components/forms/form-options.ts';
import { FormPage } from '../../components/forms/form-page.tsx';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { storedText } from '../../components/forms/stored-text.ts';
import { LineField, LinesField, NumberField } from '../../components/forms/text-fields.tsx';
import type { RecordForm } from '../../components/forms/use-record-form.ts';
import { useNow } from '../../components/live-table/use-now.ts';
import { Loading } from '../../components/loading.tsx';
import { Address } from './address.tsx';
import { DressChoice } from './dress-choice.tsx';
import { Graduation } from './graduation.tsx';
import { fromLocalMoment, toLocalMoment, zoneInWords } from './local-moment.ts';
import { Opening } from './opening.tsx';
import { ProposedNames } from './recipient.tsx';
import { VisitorPreview } from './seen-by-her.tsx';

type EveningValues = Record<
  | 'recipient_name'
  | 'contatto'
  | 'data_laurea'
  | 'opens_at'
  | 'keepsake_until'
  | 'privacy_notice'
  | 'tries_kept_days',
  string
> & { dress: Dress; sound_effects: 'on' | 'off' };

/** Range of plausible dates; the date field itself accepts others. */
const DAYS = { min: '2000-01-01', max: '2100-12-31' } as const;

/** Recipient's name, dress, opening time, keepsake, graduation date, contact and data retention. */
const eveningForm: RecordFormOptions<ConfigRecord, EveningValues> = {
  name: 'serata',
  source: configSource,
  labels: {
    recipient_name: texts.recipient.label,
    dress: texts.dress.label,
    sound_effects: texts.soundEffects.label,
    contatto: texts.contact.label,
    data_laurea: texts.graduation.label,
    opens_at: texts.opening.label,
    keepsake_until: texts.keepsake.label,
    privacy_notice: texts.privacy.label,
    tries_kept_days: texts.privacy.days,
  },
  toValues: (config) => ({
    recipient_name: config.recipient_name ?? '',
    dress: config.dress,
    sound_effects: config.sound_effects ? 'on' : 'off',
    contatto: config.contatto ?? '',
    data_laurea: config.data_laurea ?? '',
    opens_at: toLocalMoment(config.opens_at),
    keepsake_until: config.keepsake_until ?? '',
    privacy_notice: config.privacy_notice ?? '',
    tries_kept_days: String(config.tries_kept_days),
  }),
  toFields: (values) => ({
    recipient_name: storedText(values.recipient_name),
    dress: values.dress,
    sound_effects: values.sound_effects === 'on',
    contatto: storedText(values.contatto),
    data_laurea: storedText(values.data_laurea),
    opens_at: fromLocalMoment(values.opens_at),
    keepsake_until: storedText(values.keepsake_until),
    privacy_notice: storedText(values.privacy_notice),
    tries_kept_days: Number(values.tries_kept_days),
  }),
  validate: ({ data_laurea, opens_at, keepsake_until, tries_kept_days }) => {
    if (!isPlausible(data_laurea)) return { sentence: texts.graduation.invalid, fields: ['data_laurea'] };
    if (!isPlausible(keepsake_until))
      return { sentence: texts.graduation.invalid, fields: ['keepsake_until'] };
    if (!siteSettingsSchema.shape.tries_kept_days.safeParse(Number(tries_kept_days)).success)
      return { sentence: texts.privacy.invalid, fields: ['tries_kept_days'] };
    return isPlausibleMoment(opens_at) ? null : { sentence: texts.opening.invalid, fields: ['opens_at'] };
  },
  // A partly typed date could close the site.
  savedWhenLeft: true,
  withoutButton: true,
  sentences: { saved: texts.saved, loadFailed: texts.loadFailed, saveFailed: texts.saveFailed },
};

function isPlausible(day: string): boolean {
  if (day === '') return true;
  return siteSettingsSchema.shape.data_laurea.safeParse(day).success && day >= DAYS.min && day <= DAYS.max;
}

function isPlausibleMoment(moment: string): boolean {
  return moment === '' || (isPlausible(moment.slice(0, DAYS.min.length)) && fromLocalMoment(moment) !== null);
}

/** Settings of the evening: its recipient, opening and closing, the contact shown after a forced disconnect, and the address. */
export function Page() {
  return (
    <FormPage
      path="/admin/serata"
      form={eveningForm}
      coming={<Loading shape="cards" />}
      renderFields={(form) => <Fields form={form} />}
      renderPreview={() => <Address />}
    />
  );
}

/** Each field with its effect. */
function Fields({ form }: { form: RecordForm<ConfigRecord, EveningValues> }) {
  const { values, record } = form;
  return (
    <Stack gap="lg">
      <Card title={texts.recipient.title} hint={texts.recipient.hint}>
        <LineField
          form={form}
          field="recipient_name"
          max={MAX_LENGTH.recipientName}
          placeholder={texts.recipient.placeholder}
        />
        <ProposedNames typed={values.recipient_name} choose={form.input('recipient_name').onChange} />
        <Text c="dimmed">{texts.recipient.inTexts}</Text>
      </Card>
      <Card title={texts.opening.title} hint={texts.opening.hint}>
        <TextInput
          type="datetime-local"
          size="md"
          label={texts.opening.label}
          description={texts.opening.zone(zoneInWords())}
          maw="20rem"
          {...form.input('opens_at')}
        />
        <Opening typed={values.opens_at} />
      </Card>
      <Card title={texts.dress.title} hint={texts.dress.hint}>
        <DressChoice chosen={values.dress} choose={form.input('dress').onChange} />
      </Card>
      <Card title={texts.soundEffects.title} hint={texts.soundEffects.hint}>
        <Switch
          label={texts.soundEffects.label}
          checked={values.sound_effects === 'on'}
          onChange={({ currentTarget }) =>
            form.input('sound_effects').onChange(currentTarget.checked ? 'on' : 'off')
          }
        />
      </Card>
      <Card title={texts.graduation.title} hint={texts.graduation.hint}>
        <DateInput form={form} field="data_laurea" label={texts.graduation.label} />
        <Graduation typed={values.data_laurea} saved={record.data_laurea} />
      </Card>
      <Card title={texts.keepsake.title} hint={texts.keepsake.hint}>
        <DateInput form={form} field="keepsake_until" label={texts.keepsake.label} />
        <Keepsake typed={values.keepsake_until} />
      </Card>
      <Contact form={form} />
      <Privacy form={form} />
    </Stack>
  );
}

type DateInputProps = {
  form: RecordForm<ConfigRecord, EveningValues>;
  field: 'data_laurea' | 'keepsake_until';
  label: string;
};

function DateInput({ form, field, label }: DateInputProps) {
  return <TextInput type="date" size="md" label={label} maw="14rem" {...form.input(field)} />;
}

function Contact({ form }: { form: RecordForm<ConfigRecord, EveningValues> }) {
  return (
    <Card title={texts.contact.title} hint={texts.contact.hint}>
      <LineField
        form={form}
        field="contatto"
        max={MAX_LENGTH.contact}
        placeholder={texts.contact.placeholder}
      />
      <ContactPreview contatto={contactText(form.values)} />
    </Card>
  );
}

/** The privacy notice for visitors, and the retention of refused attempts in days (decision 066). */
function Privacy({ form }: { form: RecordForm<ConfigRecord, EveningValues> }) {
  return (
    <Card title={texts.privacy.title} hint={texts.privacy.hint}>
      <LinesField form={form} field="privacy_notice" max={MAX_LENGTH.privacyNotice} />
      <NumberField
        form={form}
        field="tries_kept_days"
        min={REFUSED_ENTRY_RETENTION_DAYS.min}
        max={REFUSED_ENTRY_RETENTION_DAYS.max}
        description={texts.privacy.kept}
      />
    </Card>
  );
}

/** The notice of a forced disconnect with this contact (spec 8). */
function ContactPreview({ contatto }: { contatto: string | null }) {
  return (
    <VisitorPreview label={texts.contact.preview}>
      <strong>{experienceTexts.disconnected}</strong>
      <span>{contatto === null ? experienceTexts.noContact : experienceTexts.contact(contatto)}</span>
    </VisitorPreview>
  );
}

/** Update interval in ms, because a day ends at a set time. */
const UPDATE_MS = 30_000;

/** Effect of the day. `typed`: `YYYY-MM-DD`, or '' for none. */
function Keepsake({ typed }: { typed: string }) {
  const now = useNow(UPDATE_MS);
  if (typed === '') return <Text>{texts.keepsake.none}</Text>;
  return (
    <Text>{isKeepsakeOpen(typed, now) ? texts.keepsake.until(longDay(typed)) : texts.keepsake.past}</Text>
  );
}
