import { savedTexts, tripMediaTexts as texts } from '../../../../texts/admin/media.ts';
import { FormBody } from '../../components/forms/form-body.tsx';
import type { RecordFormOptions } from '../../components/forms/form-options.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { storedText } from '../../components/forms/stored-text.ts';
import type { RecordForm } from '../../components/forms/use-record-form.ts';
import { DateFields } from '../../components/media/date-fields.tsx';
import { PageSection } from '../../components/place/place.tsx';

type Values = Record<'data_partenza' | 'data_ritorno', string>;

/** The first trip's dates (spec 7: «Dates: update {data_partenza, data_ritorno}»). */
export const datesForm = {
  name: 'date-viaggio',
  source: configSource,
  labels: { data_partenza: texts.departure, data_ritorno: texts.return },
  toValues: ({ data_partenza, data_ritorno }) => ({
    data_partenza: data_partenza ?? '',
    data_ritorno: data_ritorno ?? '',
  }),
  toFields: ({ data_partenza, data_ritorno }) => ({
    data_partenza: storedText(data_partenza),
    data_ritorno: storedText(data_ritorno),
  }),
  sentences: {
    saved: texts.datesSaved,
    loadFailed: savedTexts.configFailed,
    saveFailed: savedTexts.saveFailed,
  },
} satisfies RecordFormOptions<ConfigRecord, Values>;

/** No separate address: the specification has the dates on the tickets' page (spec 2). */
export function Dates({ form }: { form: RecordForm<ConfigRecord, Values> }) {
  return (
    <PageSection id="date" title={texts.dates}>
      <FormBody form={form} guarded={false}>
        <DateFields
          departure={form.input('data_partenza')}
          back={form.input('data_ritorno')}
          config={form.record}
        />
      </FormBody>
    </PageSection>
  );
}
