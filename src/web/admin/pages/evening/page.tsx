import { Flex, Radio, Stack, Switch, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { siteSettingsSchema } from '../../../../contract/model.ts';
import { DRESSES, type Dress } from '../../../../domain/configuration.ts';
import { MAX_LENGTH, REFUSED_ENTRY_RETENTION_DAYS } from '../../../../domain/limits.ts';
import { contactText } from '../../../../domain/recipient-name.ts';
import { eachOf, keysOf } from '../../../../domain/records.ts';
import { footerSentence } from '../../../../texts/access.ts';
import { eveningPageTexts as texts } from '../../../../texts/admin/evening.ts';
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
import { Address, Keepsake, Occasion, Opening, ProposedNames, VisitorPreview } from './effects.tsx';
import { fromLocalMoment, toLocalMoment, zoneInWords } from './local-moment.ts';
import styles from './page.module.css';

/** Texts and days that are stored as typed, or as null if blank. */
const TEXTS = ['recipient_name', 'contatto', 'data_laurea', 'keepsake_until', 'privacy_notice'] as const;

type EveningValues = Record<
  (typeof TEXTS)[number] | 'opens_at' | 'footer_text' | 'tries_kept_days',
  string
> & {
  dress: Dress;
  sound_effects: 'on' | 'off';
  footer: keyof typeof texts.occasion.choices;
};
type EveningForm = RecordForm<ConfigRecord, EveningValues>;

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
    data_laurea: texts.occasion.day,
    footer: texts.occasion.footer,
    footer_text: texts.occasion.own,
    opens_at: texts.opening.label,
    keepsake_until: texts.keepsake.label,
    privacy_notice: texts.privacy.label,
    tries_kept_days: texts.privacy.days,
  },
  toValues: (config) => ({
    ...eachOf(TEXTS, (field) => config[field] ?? ''),
    dress: config.dress,
    sound_effects: config.sound_effects ? 'on' : 'off',
    footer: config.footer_text === null ? 'usual' : config.footer_text === '' ? 'none' : 'own',
    footer_text: config.footer_text ?? '',
    opens_at: toLocalMoment(config.opens_at),
    tries_kept_days: String(config.tries_kept_days),
  }),
  toFields: (values) => ({
    ...eachOf(TEXTS, (field) => storedText(values[field])),
    dress: values.dress,
    sound_effects: values.sound_effects === 'on',
    footer_text: footerOf(values),
    opens_at: fromLocalMoment(values.opens_at),
    tries_kept_days: Number(values.tries_kept_days),
  }),
  validate: ({ data_laurea, opens_at, keepsake_until, tries_kept_days }) => {
    if (!isPlausible(data_laurea)) return { sentence: texts.occasion.invalid, fields: ['data_laurea'] };
    if (!isPlausible(keepsake_until)) return { sentence: texts.occasion.invalid, fields: ['keepsake_until'] };
    if (!siteSettingsSchema.shape.tries_kept_days.safeParse(Number(tries_kept_days)).success)
      return { sentence: texts.privacy.invalid, fields: ['tries_kept_days'] };
    return isPlausibleMoment(opens_at) ? null : { sentence: texts.opening.invalid, fields: ['opens_at'] };
  },
  // A partly typed date could close the site.
  savedWhenLeft: true,
  withoutButton: true,
  sentences: { saved: texts.saved, loadFailed: texts.loadFailed, saveFailed: texts.saveFailed },
};

/** Returns the footer as stored; an own one without text is none. */
function footerOf({ footer, footer_text }: Pick<EveningValues, 'footer' | 'footer_text'>): string | null {
  if (footer === 'usual') return null;
  return footer === 'own' ? (storedText(footer_text) ?? '') : '';
}

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

/** Update interval in ms, because the site opens and closes at set times. */
const UPDATE_MS = 30_000;

/** Each field with its effect. */
function Fields({ form }: { form: EveningForm }) {
  const { values, record } = form;
  const now = useNow(UPDATE_MS);
  const dates = {
    data_laurea: values.data_laurea || null,
    opens_at: fromLocalMoment(values.opens_at),
    keepsake_until: values.keepsake_until || null,
  };
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
      <Card title={texts.occasion.title} hint={texts.occasion.hint}>
        <Footer form={form} />
        <DateInput form={form} field="data_laurea" description={texts.occasion.dayHint} />
        <Occasion dates={dates} now={now} footer_text={footerOf(values)} saved={record.data_laurea} />
      </Card>
      <Card title={texts.opening.title} hint={texts.opening.hint}>
        <DateInput form={form} field="opens_at" description={texts.opening.zone(zoneInWords())} />
        {(values.opens_at === '' || dates.opens_at !== null) && <Opening dates={dates} now={now} />}
      </Card>
      <Card title={texts.dress.title} hint={texts.dress.hint}>
        <DressChoice form={form} />
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
      <Card title={texts.keepsake.title} hint={texts.keepsake.hint}>
        <DateInput form={form} field="keepsake_until" />
        <Keepsake dates={dates} now={now} />
      </Card>
      <Contact form={form} />
      <Privacy form={form} />
    </Stack>
  );
}

type DateInputProps = {
  form: EveningForm;
  field: 'data_laurea' | 'keepsake_until' | 'opens_at';
  description?: string;
};

function DateInput({ form, field, description }: DateInputProps) {
  return (
    <TextInput
      type={field === 'opens_at' ? 'datetime-local' : 'date'}
      size="md"
      label={form.options.labels[field]}
      description={description}
      styles={{ wrapper: { maxWidth: field === 'opens_at' ? '20rem' : '14rem' } }}
      {...form.input(field)}
    />
  );
}

/** Footer of the access screen: the specification's sentence, an own one, or none. */
function Footer({ form }: { form: EveningForm }) {
  const { values } = form;
  const usual = footerSentence({ data_laurea: values.data_laurea || null, closed: false, footer_text: null });
  return (
    <>
      <Radio.Group label={texts.occasion.footer} size="md" {...form.input('footer')}>
        <Stack gap="xs" mt="xs">
          {keysOf(texts.occasion.choices).map((choice) => (
            <Radio
              key={choice}
              value={choice}
              size="md"
              label={texts.occasion.choices[choice]}
              description={choice === 'usual' ? usual : undefined}
            />
          ))}
        </Stack>
      </Radio.Group>
      {values.footer === 'own' && (
        <LineField
          form={form}
          field="footer_text"
          max={MAX_LENGTH.footer}
          description={texts.occasion.ownHint}
          placeholder={texts.occasion.ownPlaceholder}
        />
      )}
    </>
  );
}

/** The dresses side by side, each as a small letter below its own sky. */
function DressChoice({ form }: { form: EveningForm }) {
  const { value, onChange } = form.input('dress');
  return (
    <Flex component="fieldset" wrap="wrap" gap="md" m={0} p={0} bd={0}>
      <VisuallyHidden component="legend">{texts.dress.label}</VisuallyHidden>
      {DRESSES.map((dress) => (
        <label key={dress} className={styles.dress}>
          <input
            type="radio"
            name="dress"
            className={styles.radio}
            checked={dress === value}
            onChange={() => onChange(dress)}
          />
          <span className={styles.look} data-dress={dress} aria-hidden="true">
            <span className={styles.letter}>
              <span className={styles.wax} />
            </span>
            <span className={styles.sample}>Aa</span>
            <span className={styles.gold} />
          </span>
          <span>{texts.dress.names[dress]}</span>
        </label>
      ))}
    </Flex>
  );
}

function Contact({ form }: { form: EveningForm }) {
  const contatto = contactText(form.values);
  return (
    <Card title={texts.contact.title} hint={texts.contact.hint}>
      <LineField
        form={form}
        field="contatto"
        max={MAX_LENGTH.contact}
        placeholder={texts.contact.placeholder}
      />
      {/* The notice of a forced disconnect with this contact (spec 8). */}
      <VisitorPreview label={texts.contact.preview}>
        <strong>{experienceTexts.disconnected}</strong>
        <span>{contatto === null ? experienceTexts.noContact : experienceTexts.contact(contatto)}</span>
      </VisitorPreview>
    </Card>
  );
}

/** The privacy notice for visitors, and the retention of refused attempts in days (decision 066). */
function Privacy({ form }: { form: EveningForm }) {
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
