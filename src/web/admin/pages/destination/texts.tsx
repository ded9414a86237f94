import { isBlank } from '../../../../domain/blank.ts';
import { DEFAULT_TEXTS, IMAGE_SECONDS, MAX_LENGTH } from '../../../../domain/limits.ts';
import { destinationTextsTexts as texts } from '../../../../texts/admin/content-forms.ts';
import { adminPlaces } from '../../../../texts/admin/pages.ts';
import { FormBody } from '../../components/forms/form-body.tsx';
import type { Problem, RecordFormOptions } from '../../components/forms/form-options.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { LineField, NumberField } from '../../components/forms/text-fields.tsx';
import type { RecordForm } from '../../components/forms/use-record-form.ts';
import { PageSection } from '../../components/place/place.tsx';

type Values = {
  titolo_destinazione: string;
  titolo_viaggio: string;
  /** Text, because a partly typed number may be invalid. */
  durata_immagine_destinazione_secondi: string;
};

/** Titles of the first trip, and the duration of its picture (spec 2 «Destination texts page»). */
export const textsForm: RecordFormOptions<ConfigRecord, Values> = {
  name: 'testi-destinazione',
  source: configSource,
  labels: {
    titolo_destinazione: texts.titolo_destinazione,
    titolo_viaggio: texts.titolo_viaggio,
    durata_immagine_destinazione_secondi: texts.durata,
  },
  toValues: (record) => ({
    titolo_destinazione: record.titolo_destinazione ?? DEFAULT_TEXTS.titolo_destinazione,
    titolo_viaggio: record.titolo_viaggio ?? DEFAULT_TEXTS.titolo_viaggio,
    durata_immagine_destinazione_secondi: String(record.durata_immagine_destinazione_secondi),
  }),
  toFields: ({ titolo_destinazione, titolo_viaggio, durata_immagine_destinazione_secondi }) => ({
    titolo_destinazione: titolo_destinazione.trim(),
    titolo_viaggio: titolo_viaggio.trim(),
    durata_immagine_destinazione_secondi: Number(durata_immagine_destinazione_secondi),
  }),
  validate: problemOf,
  sentences: texts,
};

function problemOf(values: Values): Problem<Values> | null {
  const blank = (['titolo_destinazione', 'titolo_viaggio'] as const).filter((field) =>
    isBlank(values[field]),
  );
  if (blank.length > 0) return { sentence: texts.blank, fields: blank };
  const text = values.durata_immagine_destinazione_secondi.trim();
  const seconds = Number(text);
  const fits = text !== '' && seconds >= IMAGE_SECONDS.min && seconds <= IMAGE_SECONDS.max;
  return fits ? null : { sentence: texts.outOfRange, fields: ['durata_immagine_destinazione_secondi'] };
}

type Props = {
  form: RecordForm<ConfigRecord, Values>;
  /** Called when a title field gets the focus. */
  onTitle: () => void;
};

/** Section of `/admin/testi-destinazione`. */
export function Texts({ form, onTitle }: Props) {
  const path = '/admin/testi-destinazione';
  return (
    <PageSection id="testi" path={path} title={adminPlaces[path].title}>
      <FormBody form={form} guarded={false}>
        <LineField form={form} field="titolo_destinazione" max={MAX_LENGTH.title} onFocus={onTitle} />
        <LineField form={form} field="titolo_viaggio" max={MAX_LENGTH.title} onFocus={onTitle} />
        <NumberField
          form={form}
          field="durata_immagine_destinazione_secondi"
          min={IMAGE_SECONDS.min}
          max={IMAGE_SECONDS.max}
          description={texts.durataHint}
        />
      </FormBody>
    </PageSection>
  );
}
