import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Configuration } from '../../../../domain/configuration.ts';
import { DEFAULT_TEXTS, IMAGE_SECONDS, MAX_LENGTH } from '../../../../domain/limits.ts';
import { destinationTextsTexts as texts } from '../../../../texts/admin/content-forms.ts';
import type { Problem, RecordFormOptions } from '../../components/forms/form-options.ts';
import { FormPage } from '../../components/forms/form-page.tsx';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { LineField, NumberField } from '../../components/forms/text-fields.tsx';
import { useFocus } from '../../components/media/focus/use-focus.ts';
import { PhonePreview } from '../../components/phone-frame/phone-preview.tsx';
import { CardScene, DestinationScene } from '../../components/phone-frame/trip-scenes.tsx';
import styles from './destination-preview.module.css';

type Values = {
  titolo_destinazione: string;
  titolo_viaggio: string;
  /** Text while the number is being written. */
  durata_immagine_destinazione_secondi: string;
};

const form: RecordFormOptions<ConfigRecord, Values> = {
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
  const blank = (['titolo_destinazione', 'titolo_viaggio'] as const).filter(
    (field) => values[field].trim() === '',
  );
  if (blank.length > 0) return { sentence: texts.blank, fields: blank };
  const text = values.durata_immagine_destinazione_secondi.trim();
  const seconds = Number(text);
  const fits = text !== '' && seconds >= IMAGE_SECONDS.min && seconds <= IMAGE_SECONDS.max;
  return fits ? null : { sentence: texts.outOfRange, fields: ['durata_immagine_destinazione_secondi'] };
}

/** The titles of the first trip and how long its picture stays (spec 2 «Destination texts page»). */
export function Page() {
  return (
    <FormPage
      path="/admin/testi-destinazione"
      form={form}
      renderFields={(state) => (
        <>
          <LineField form={state} field="titolo_destinazione" max={MAX_LENGTH.title} />
          <LineField form={state} field="titolo_viaggio" max={MAX_LENGTH.title} />
          <NumberField
            form={state}
            field="durata_immagine_destinazione_secondi"
            min={IMAGE_SECONDS.min}
            max={IMAGE_SECONDS.max}
            description={texts.durataHint}
          />
        </>
      )}
      renderPreview={(values, record) => (
        <DestinationPreview config={{ ...record, ...form.toFields(values) }} />
      )}
    />
  );
}

/** Both places where the titles stand: over the picture, and on the trip card. */
function DestinationPreview({ config }: { config: Configuration }) {
  const fuoco = useFocus(1);
  const [scene, setScene] = useState(config.immagine_destinazione_url === null ? 'card' : 'picture');
  return (
    <Stack className={styles.stack}>
      <SegmentedControl
        fullWidth
        className={styles.choice ?? ''}
        aria-label={texts.previewOf}
        value={scene}
        onChange={setScene}
        data={[
          { value: 'picture', label: texts.pictureShort },
          { value: 'card', label: texts.cardShort },
        ]}
      />
      {scene === 'picture' ? (
        <PhonePreview label={texts.picture} hour="journey">
          <DestinationScene config={config} viaggio={1} fuoco={fuoco} missing={texts.noPicture} />
        </PhonePreview>
      ) : (
        <PhonePreview label={texts.card} hour="journey">
          <CardScene config={config} viaggio={1} />
        </PhonePreview>
      )}
    </Stack>
  );
}
