import { Divider, Stack, Textarea, TextInput } from '@mantine/core';
import { DEFAULT_TEXTS, MAX_LENGTH } from '../../../../domain/limits.ts';
import { secondTripTexts as texts, tripMediaTexts } from '../../../../texts/admin/media.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { FormBody, FormSaveBar } from '../../components/forms/form-body.tsx';
import type { RecordFormOptions } from '../../components/forms/form-options.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { storedText } from '../../components/forms/stored-text.ts';
import { type RecordForm, useRecordForm } from '../../components/forms/use-record-form.ts';
import { useDebouncedValues } from '../../components/forms/use-typed.ts';
import { DateFields } from '../../components/media/date-fields.tsx';
import { MediaManager } from '../../components/media/media-manager.tsx';
import { CardPreview, DestinationPreview } from '../../components/media/previews/trip-previews.tsx';
import { WithConfig } from '../../components/media/with-config.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { WithPreview } from '../../components/phone-frame/with-preview.tsx';
import { PageSection } from '../../components/place/place.tsx';
import { UnseenNotice } from '../../components/second-trip/unseen-notice.tsx';

const PATH = '/admin/second-trip-details';
const { places } = tripMediaTexts;

type Details = Record<
  | 'titolo_destinazione_2'
  | 'titolo_viaggio_2'
  | 'data_partenza_2'
  | 'data_ritorno_2'
  | 'testo_istruzioni_biglietti_2',
  string
>;

/** The second trip's titles, dates and instructions (spec 5: no validation; spec 7). */
const form = {
  name: 'dettagli-secondo-viaggio',
  source: configSource,
  labels: {
    titolo_destinazione_2: texts.titolo_destinazione_2,
    titolo_viaggio_2: texts.titolo_viaggio_2,
    data_partenza_2: tripMediaTexts.departure,
    data_ritorno_2: tripMediaTexts.return,
    testo_istruzioni_biglietti_2: texts.testo_istruzioni_biglietti_2,
  },
  toValues: (config) => ({
    titolo_destinazione_2: config.titolo_destinazione_2 ?? '',
    titolo_viaggio_2: config.titolo_viaggio_2 ?? '',
    data_partenza_2: config.data_partenza_2 ?? '',
    data_ritorno_2: config.data_ritorno_2 ?? '',
    testo_istruzioni_biglietti_2: config.testo_istruzioni_biglietti_2 ?? '',
  }),
  toFields: (details) => ({
    titolo_destinazione_2: storedText(details.titolo_destinazione_2),
    titolo_viaggio_2: storedText(details.titolo_viaggio_2),
    data_partenza_2: storedText(details.data_partenza_2),
    data_ritorno_2: storedText(details.data_ritorno_2),
    testo_istruzioni_biglietti_2: storedText(details.testo_istruzioni_biglietti_2),
  }),
  sentences: { saved: texts.saved, loadFailed: texts.loadFailed, saveFailed: texts.saveFailed },
} satisfies RecordFormOptions<ConfigRecord, Details>;

/** `/admin/second-trip-details`: the second trip's picture, tickets, titles, dates and instructions (spec 2 and 7). */
export function Page() {
  return (
    <PageFrame title={adminPageTexts[PATH].title}>
      <WithConfig sentences={form.sentences}>{(config) => <Parts config={config} />}</WithConfig>
    </PageFrame>
  );
}

function Parts({ config }: { config: ConfigRecord }) {
  const state = useRecordForm(form, config);
  const shown = { ...config, ...useDebouncedValues(state) };
  return (
    <Stack gap="xl">
      <UnseenNotice path={PATH} />
      <WithPreview preview={<DestinationPreview config={shown} viaggio={2} />}>
        <MediaManager slot="immagine_2" failsQuietly section={{ id: 'immagine', path: PATH, first: true }} />
      </WithPreview>
      <Divider visibleFrom="md" />
      <WithPreview bar={<FormSaveBar form={state} />} preview={<CardPreview config={shown} viaggio={2} />}>
        <Stack gap="xl">
          <MediaManager slot="biglietti_2" failsQuietly section={{ id: 'biglietti' }} />
          <PageSection id="dettagli" title={places.details}>
            <FormBody form={state} barAside>
              <DetailsFields input={state.input} record={state.record} />
            </FormBody>
          </PageSection>
        </Stack>
      </WithPreview>
    </Stack>
  );
}

type DetailsFieldsProps = Pick<RecordForm<ConfigRecord, Details>, 'input' | 'record'>;

/** Rows of the instructions field: three (spec 2), growing with the text. */
const ROWS = { min: 3, max: 10 } as const;

function DetailsFields({ input, record }: DetailsFieldsProps) {
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
      <DateFields departure={input('data_partenza_2')} back={input('data_ritorno_2')} config={record} />
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
