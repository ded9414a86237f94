import { isBlank } from '../../../../domain/blank.ts';
import { DEFAULT_TEXTS, MAX_LENGTH } from '../../../../domain/limits.ts';
import { ticketInstructionTexts as texts } from '../../../../texts/admin/content-forms.ts';
import { adminPlaces } from '../../../../texts/admin/pages.ts';
import { FormBody } from '../../components/forms/form-body.tsx';
import type { RecordFormOptions } from '../../components/forms/form-options.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { LinesField } from '../../components/forms/text-fields.tsx';
import type { RecordForm } from '../../components/forms/use-record-form.ts';
import { PageSection } from '../../components/place/place.tsx';

type Values = { testo_istruzioni_biglietti: string };

/** Text below the ticket button (spec 2 «Ticket instruction page»). */
export const instructionForm: RecordFormOptions<ConfigRecord, Values> = {
  name: 'ticket-instruction',
  source: configSource,
  labels: { testo_istruzioni_biglietti: texts.field },
  toValues: ({ testo_istruzioni_biglietti }) => ({
    testo_istruzioni_biglietti: testo_istruzioni_biglietti ?? DEFAULT_TEXTS.testo_istruzioni_biglietti,
  }),
  toFields: (values) => values,
  blocked: ({ testo_istruzioni_biglietti }) => isBlank(testo_istruzioni_biglietti),
  validate: ({ testo_istruzioni_biglietti }) =>
    isBlank(testo_istruzioni_biglietti)
      ? { sentence: texts.blank, fields: ['testo_istruzioni_biglietti'] }
      : null,
  sentences: texts,
};

/** Section of `/admin/ticket-instruction`. */
export function Instruction({ form }: { form: RecordForm<ConfigRecord, Values> }) {
  const path = '/admin/ticket-instruction';
  return (
    <PageSection id="istruzioni" path={path} title={adminPlaces[path].title}>
      <FormBody form={form} guarded={false}>
        <LinesField
          form={form}
          field="testo_istruzioni_biglietti"
          max={MAX_LENGTH.instructions}
          description={texts.hint}
        />
      </FormBody>
    </PageSection>
  );
}
