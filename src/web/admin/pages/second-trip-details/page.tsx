import { Divider, Stack, Textarea, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { DEFAULT_TEXTS, MAX_LENGTH } from '../../../../domain/limits.ts';
import { secondTripTexts as texts } from '../../../../texts/admin/media.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { FormBody, FormSaveBar } from '../../components/forms/form-body.tsx';
import type { ConfigRecord } from '../../components/forms/sources.ts';
import { type RecordForm, useRecordForm } from '../../components/forms/use-record-form.ts';
import { DateFields } from '../../components/media/date-fields.tsx';
import { MediaManager } from '../../components/media/media-manager.tsx';
import { CardPreview, DestinationPreview } from '../../components/media/previews/trip-previews.tsx';
import { WithConfig } from '../../components/media/with-config.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { PREVIEW_DELAY_MS } from '../../components/phone-frame/preview-delay.ts';
import { WithPreview } from '../../components/phone-frame/with-preview.tsx';
import { UnseenNotice } from '../../components/second-trip/unseen-notice.tsx';
import { type Details, detailsForm } from './details-form.ts';

/** `/admin/second-trip-details`: the second trip's picture, tickets, titles, dates and instructions (spec 2 and 7). */
export function Page() {
  return (
    <PageFrame title={adminPageTexts['/admin/second-trip-details'].title} description={texts.description}>
      <WithConfig sentences={detailsForm.sentences}>{(config) => <Parts config={config} />}</WithConfig>
    </PageFrame>
  );
}

function Parts({ config }: { config: ConfigRecord }) {
  const form = useRecordForm(detailsForm, config);
  const [typed] = useDebouncedValue(form.values, PREVIEW_DELAY_MS);
  const shown = { ...config, ...detailsForm.toFields(typed) };
  return (
    <Stack gap="xl">
      <UnseenNotice path="/admin/second-trip-details" />
      <WithPreview preview={<DestinationPreview config={shown} viaggio={2} />}>
        <MediaManager slot="immagine_2" failsQuietly />
      </WithPreview>
      <Divider />
      <WithPreview bar={<FormSaveBar form={form} />} preview={<CardPreview config={shown} viaggio={2} />}>
        <Stack gap="xl">
          <MediaManager slot="biglietti_2" failsQuietly />
          <Stack component="section" gap="sm">
            <Title order={2} size="h3">
              {texts.details}
            </Title>
            <FormBody form={form} barAside>
              <DetailsFields input={form.input} />
            </FormBody>
          </Stack>
        </Stack>
      </WithPreview>
    </Stack>
  );
}

type DetailsFieldsProps = Pick<RecordForm<ConfigRecord, Details>, 'input'>;

/** Rows of the box for the instructions: three (spec 2), and more as they grow. */
const ROWS = { min: 3, max: 10 } as const;

function DetailsFields({ input }: DetailsFieldsProps) {
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
