import { DEFAULT_TEXTS, MAX_LENGTH } from '../../../../domain/limits.ts';
import { ticketInstructionTexts as texts } from '../../../../texts/admin/content-forms.ts';
import type { RecordFormOptions } from '../../components/forms/form-options.ts';
import { FormPage } from '../../components/forms/form-page.tsx';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { LinesField } from '../../components/forms/text-fields.tsx';
import { PhonePreview } from '../../components/phone-frame/phone-preview.tsx';
import { CardScene } from '../../components/phone-frame/trip-scenes.tsx';

type Values = { testo_istruzioni_biglietti: string };

const isBlank = ({ testo_istruzioni_biglietti }: Values) => testo_istruzioni_biglietti.trim() === '';

const form: RecordFormOptions<ConfigRecord, Values> = {
  name: 'ticket-instruction',
  source: configSource,
  labels: { testo_istruzioni_biglietti: texts.field },
  toValues: ({ testo_istruzioni_biglietti }) => ({
    testo_istruzioni_biglietti: testo_istruzioni_biglietti ?? DEFAULT_TEXTS.testo_istruzioni_biglietti,
  }),
  toFields: (values) => values,
  blocked: isBlank,
  validate: (values) =>
    isBlank(values) ? { sentence: texts.blank, fields: ['testo_istruzioni_biglietti'] } : null,
  sentences: texts,
};

/** The lines under the ticket button, on the card they stand on (spec 2 «Ticket instruction page»). */
export function Page() {
  return (
    <FormPage
      path="/admin/ticket-instruction"
      form={form}
      renderFields={(state) => (
        <LinesField
          form={state}
          field="testo_istruzioni_biglietti"
          max={MAX_LENGTH.instructions}
          description={texts.hint}
        />
      )}
      renderPreview={(values, record) => (
        <PhonePreview label={texts.preview} hour="journey">
          <CardScene config={{ ...record, ...values }} viaggio={1} />
        </PhonePreview>
      )}
    />
  );
}
