import { Textarea, TextInput } from '@mantine/core';
import { DEFAULT_TEXTS, MAX_LENGTH } from '../../../../domain/limits.ts';
import { secondTripTexts as texts } from '../../../../texts/admin/media.ts';
import type { ConfigRecord } from '../../components/forms/sources.ts';
import type { RecordForm } from '../../components/forms/use-record-form.ts';
import { DateFields } from '../../components/media/date-fields.tsx';
import type { Details } from './details-form.ts';

type DetailsFieldsProps = Pick<RecordForm<ConfigRecord, Details>, 'input'>;

/** Rows of the box for the instructions: three (spec 2), and more as they grow. */
const ROWS = { min: 3, max: 10 } as const;

export function DetailsFields({ input }: DetailsFieldsProps) {
  const title = { maxLength: MAX_LENGTH.title, size: 'md', autoComplete: 'off' } as const;
  return (
    <>
      <TextInput
        label={texts.titolo_destinazione_2}
        placeholder={DEFAULT_TEXTS.titolo_destinazione_2}
        {...title}
        {...input('titolo_destinazione_2')}
      />
      <TextInput
        label={texts.titolo_viaggio_2}
        placeholder={DEFAULT_TEXTS.titolo_viaggio_2}
        {...title}
        {...input('titolo_viaggio_2')}
      />
      <DateFields departure={input('data_partenza_2')} back={input('data_ritorno_2')} />
      <Textarea
        label={texts.testo_istruzioni_biglietti_2}
        placeholder={DEFAULT_TEXTS.testo_istruzioni_biglietti}
        autosize
        minRows={ROWS.min}
        maxRows={ROWS.max}
        size="md"
        maxLength={MAX_LENGTH.instructions}
        {...input('testo_istruzioni_biglietti_2')}
      />
    </>
  );
}
